-- Up Migration
-- What the conductor decided and why: each change, and one row a minute without any.
CREATE TABLE conductor_decisions (
	season text NOT NULL,
	room text NOT NULL,
	at timestamptz NOT NULL,
	kind text NOT NULL CHECK (kind IN ('change', 'minute')),
	rate_per_second double precision NOT NULL,
	before_per_second double precision,
	limited_by text NOT NULL,
	-- The rest of the evidence: signals, limits, people called and inside.
	facts jsonb NOT NULL,
	PRIMARY KEY (season, room, at)
);
CREATE INDEX conductor_decisions_by_age ON conductor_decisions (at);

-- Down Migration
DROP TABLE conductor_decisions;
