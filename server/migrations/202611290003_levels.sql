-- Up Migration
CREATE TABLE levels_current (
	season text NOT NULL,
	room text NOT NULL,
	version bigint NOT NULL,
	level smallint NOT NULL CHECK (level BETWEEN 0 AND 4),
	by_name text,
	reason text,
	since timestamptz NOT NULL,
	PRIMARY KEY (season, room)
);

CREATE TABLE levels_history (
	season text NOT NULL,
	room text NOT NULL,
	version bigint NOT NULL,
	level smallint NOT NULL CHECK (level BETWEEN 0 AND 4),
	by_name text NOT NULL,
	reason text NOT NULL,
	at timestamptz NOT NULL,
	PRIMARY KEY (season, room, version)
);

CREATE TABLE levels_proposals (
	id uuid PRIMARY KEY,
	season text NOT NULL,
	room text NOT NULL,
	level smallint NOT NULL CHECK (level BETWEEN 0 AND 4),
	reason text NOT NULL,
	by_id text NOT NULL,
	by_name text NOT NULL,
	at timestamptz NOT NULL,
	expires_at timestamptz NOT NULL,
	expected_version bigint NOT NULL,
	outcome text CHECK (outcome IN ('confirmed', 'withdrawn', 'replaced')),
	decided_by text,
	decided_at timestamptz
);
CREATE INDEX levels_proposals_open ON levels_proposals (season, room, at) WHERE outcome IS NULL;

-- Which version each instance has seen (seen_at: since when), and when it was last heard of.
CREATE TABLE levels_seen (
	season text NOT NULL,
	room text NOT NULL,
	instance text NOT NULL,
	version bigint NOT NULL,
	level smallint NOT NULL,
	seen_at timestamptz NOT NULL,
	heard_at timestamptz NOT NULL,
	PRIMARY KEY (season, room, instance)
);

-- Down Migration
DROP TABLE levels_seen;
DROP TABLE levels_proposals;
DROP TABLE levels_history;
DROP TABLE levels_current;
