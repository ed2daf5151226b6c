-- Up Migration
-- What the model expected of the waiting room when something was pressed, and how it then went.
CREATE TABLE forecasts (
	season text NOT NULL,
	room text NOT NULL,
	at timestamptz NOT NULL,
	reason text NOT NULL CHECK (reason IN ('rate', 'level', 'mode', 'regular')),
	-- Up to here it is judged: another press ends it.
	until timestamptz NOT NULL,
	predicted jsonb NOT NULL,
	judged_at timestamptz,
	judgement jsonb,
	PRIMARY KEY (season, room, at, reason)
);
CREATE INDEX forecasts_by_age ON forecasts (at);
CREATE INDEX forecasts_due ON forecasts (season, room, until) WHERE judged_at IS NULL;

-- Down Migration
DROP TABLE forecasts;
