-- Up Migration
-- One row an occurrence. What it says of itself (names, texts) is kept as it was, however files change.
CREATE TABLE alarms (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	season text NOT NULL,
	site text NOT NULL,
	definition text NOT NULL,
	subject_kind text NOT NULL,
	subject_id text NOT NULL,
	level integer NOT NULL,
	priority text NOT NULL CHECK (priority IN ('critical', 'high', 'medium', 'low')),
	shown jsonb NOT NULL,
	evidence jsonb NOT NULL,
	raised_at timestamptz NOT NULL,
	worsened_at timestamptz,
	returned_at timestamptz,
	-- Returned and seen, or followed by a new occurrence: off the list.
	over_at timestamptz,
	data_lost boolean NOT NULL,
	quality text NOT NULL,
	mark text NOT NULL,
	acknowledged jsonb,
	confirmed jsonb,
	claim_by text,
	claim_by_id text,
	claim_at timestamptz,
	heartbeat_at timestamptz,
	links jsonb NOT NULL,
	annunciated_at timestamptz,
	rings_again_at timestamptz,
	rang_again integer NOT NULL,
	escalation jsonb,
	suppressed jsonb,
	sound_seq bigint NOT NULL,
	in_flood boolean NOT NULL
);
CREATE UNIQUE INDEX alarms_one_active ON alarms (season, site, definition, subject_kind, subject_id)
	WHERE returned_at IS NULL;
CREATE INDEX alarms_standing ON alarms (season, site) WHERE over_at IS NULL;
CREATE INDEX alarms_raised ON alarms (season, site, raised_at);

CREATE TABLE alarm_events (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	alarm bigint NOT NULL REFERENCES alarms (id) ON DELETE CASCADE,
	at timestamptz NOT NULL,
	kind text NOT NULL,
	by_name text,
	words text,
	priority text NOT NULL,
	value double precision
);
CREATE INDEX alarm_events_of_alarm ON alarm_events (alarm, id);
CREATE INDEX alarm_events_at ON alarm_events (at);

-- Its id is the number by which screens know whether a sound was played already.
CREATE TABLE alarm_annunciations (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	season text NOT NULL,
	site text NOT NULL,
	alarm bigint REFERENCES alarms (id) ON DELETE CASCADE,
	at timestamptz NOT NULL,
	why text NOT NULL,
	priority text NOT NULL,
	sounds boolean NOT NULL
);
CREATE INDEX alarm_annunciations_at ON alarm_annunciations (season, site, at);

CREATE TABLE alarm_floods (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	season text NOT NULL,
	site text NOT NULL,
	started_at timestamptz NOT NULL,
	ended_at timestamptz,
	first_alarm bigint
);
CREATE UNIQUE INDEX alarm_floods_one ON alarm_floods (season, site) WHERE ended_at IS NULL;

-- What was put aside: for a time by a person, or out of service by the administrator.
CREATE TABLE alarm_asides (
	season text NOT NULL,
	site text NOT NULL,
	definition text NOT NULL,
	subject_kind text NOT NULL,
	subject_id text NOT NULL,
	how text NOT NULL CHECK (how IN ('shelved', 'out-of-service')),
	names jsonb NOT NULL,
	by_name text NOT NULL,
	by_id text NOT NULL,
	at timestamptz NOT NULL,
	until timestamptz,
	reason text NOT NULL,
	PRIMARY KEY (season, site, definition, subject_kind, subject_id, how)
);

-- When the rules were last looked at, by whichever instance does.
CREATE TABLE alarm_watch (
	season text NOT NULL,
	site text NOT NULL,
	evaluated_at timestamptz NOT NULL,
	PRIMARY KEY (season, site)
);

-- Down Migration
DROP TABLE alarm_watch;
DROP TABLE alarm_asides;
DROP TABLE alarm_floods;
DROP TABLE alarm_annunciations;
DROP TABLE alarm_events;
DROP TABLE alarms;
