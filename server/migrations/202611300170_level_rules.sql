-- Up Migration
-- What is known of the level in force, and of each one before it.
ALTER TABLE levels_current
	ADD COLUMN source text NOT NULL DEFAULT 'hand',
	ADD COLUMN chips jsonb NOT NULL DEFAULT '[]',
	ADD COLUMN exercise boolean NOT NULL DEFAULT false,
	ADD COLUMN from_level smallint CHECK (from_level BETWEEN 0 AND 4),
	ADD COLUMN until_at timestamptz,
	ADD COLUMN rule text;
UPDATE levels_current SET source = 'start' WHERE version = 0;

ALTER TABLE levels_history
	ADD COLUMN source text NOT NULL DEFAULT 'hand',
	ADD COLUMN chips jsonb NOT NULL DEFAULT '[]',
	ADD COLUMN exercise boolean NOT NULL DEFAULT false,
	ADD COLUMN from_level smallint CHECK (from_level BETWEEN 0 AND 4),
	ADD COLUMN until_at timestamptz,
	ADD COLUMN rule text;

ALTER TABLE levels_proposals
	ADD COLUMN chips jsonb NOT NULL DEFAULT '[]',
	ADD COLUMN until_at timestamptz,
	ADD COLUMN drill jsonb,
	ADD COLUMN rule_proposal uuid,
	DROP CONSTRAINT levels_proposals_outcome_check,
	ADD CONSTRAINT levels_proposals_outcome_check
		CHECK (outcome IN ('confirmed', 'withdrawn', 'replaced', 'expired', 'overtaken'));

-- What the rules proposed, with the evidence as it was, and what became of it.
CREATE TABLE levels_rule_proposals (
	id uuid PRIMARY KEY,
	season text NOT NULL,
	room text NOT NULL,
	direction text NOT NULL CHECK (direction IN ('up', 'down')),
	why text NOT NULL CHECK (why IN ('rule', 'until')),
	rule text,
	from_level smallint NOT NULL CHECK (from_level BETWEEN 0 AND 4),
	level smallint NOT NULL CHECK (level BETWEEN 0 AND 4),
	at timestamptz NOT NULL,
	expires_at timestamptz NOT NULL,
	expected_version bigint NOT NULL,
	evidence jsonb NOT NULL,
	figures jsonb,
	outcome text CHECK (outcome IN ('taken', 'put-off', 'expired', 'cleared', 'overtaken', 'replaced')),
	decided_by text,
	decided_at timestamptz,
	reason text,
	quiet_until timestamptz
);
CREATE UNIQUE INDEX levels_rule_proposals_open ON levels_rule_proposals (season, room) WHERE outcome IS NULL;
CREATE INDEX levels_rule_proposals_settled ON levels_rule_proposals (season, room, at DESC);

-- Levels run as an exercise.
CREATE TABLE levels_drills (
	id uuid PRIMARY KEY,
	season text NOT NULL,
	room text NOT NULL,
	level smallint NOT NULL CHECK (level BETWEEN 0 AND 4),
	from_level smallint NOT NULL CHECK (from_level BETWEEN 0 AND 4),
	version bigint NOT NULL,
	started_at timestamptz NOT NULL,
	ends_at timestamptz NOT NULL,
	by_name text NOT NULL,
	reason text NOT NULL,
	guard jsonb NOT NULL,
	ended_at timestamptz,
	outcome text CHECK (outcome IN ('completed', 'ended', 'guard', 'blind', 'overruled')),
	ended_by text,
	effect jsonb,
	measured boolean NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX levels_drills_running ON levels_drills (season, room) WHERE ended_at IS NULL;
CREATE INDEX levels_drills_of_level ON levels_drills (season, room, level, started_at DESC);

-- Down Migration
DROP TABLE levels_drills;
DROP TABLE levels_rule_proposals;
UPDATE levels_proposals SET outcome = 'withdrawn' WHERE outcome IN ('expired', 'overtaken');
ALTER TABLE levels_proposals
	DROP COLUMN chips,
	DROP COLUMN until_at,
	DROP COLUMN drill,
	DROP COLUMN rule_proposal,
	DROP CONSTRAINT levels_proposals_outcome_check,
	ADD CONSTRAINT levels_proposals_outcome_check CHECK (outcome IN ('confirmed', 'withdrawn', 'replaced'));
ALTER TABLE levels_history
	DROP COLUMN source, DROP COLUMN chips, DROP COLUMN exercise, DROP COLUMN from_level,
	DROP COLUMN until_at, DROP COLUMN rule;
ALTER TABLE levels_current
	DROP COLUMN source, DROP COLUMN chips, DROP COLUMN exercise, DROP COLUMN from_level,
	DROP COLUMN until_at, DROP COLUMN rule;
