-- Up Migration
-- Spike runs: who asked for one, what it asked for, how it went and what it proved.
CREATE TABLE runs (
	id text PRIMARY KEY,
	season text NOT NULL,
	room text NOT NULL,
	kind text NOT NULL CHECK (kind IN ('load', 'model')),
	profile text NOT NULL,
	state text NOT NULL
		CHECK (state IN ('proposed', 'ready', 'running', 'settling', 'finished', 'withdrawn', 'expired')),
	parameters jsonb NOT NULL,
	model jsonb,
	seed bigint NOT NULL,
	reason text NOT NULL,
	by_id text NOT NULL,
	by_name text NOT NULL,
	at timestamptz NOT NULL,
	expires_at timestamptz,
	confirmed_by text,
	stopped_by text,
	-- What ran: a run is evidence for this code, schema and configuration only.
	build text NOT NULL,
	config text NOT NULL,
	schema_name text NOT NULL,
	rate double precision,
	level integer NOT NULL,
	mark text NOT NULL,
	started_at timestamptz,
	beat_at timestamptz,
	-- When the load was over: its report is written a little later.
	ended_at timestamptz,
	clock_off_ms integer,
	progress jsonb,
	-- The generator's last word; without it the run was interrupted.
	told jsonb,
	verdict text CHECK (verdict IN ('passed', 'failed', 'invalid', 'interrupted', 'stopped')),
	invalid_by text,
	broken jsonb NOT NULL DEFAULT '[]',
	narrowest jsonb,
	proven double precision,
	recovery_seconds double precision,
	report jsonb,
	-- Green is only what is finished and has its report.
	CHECK (verdict IS NULL OR (state = 'finished' AND report IS NOT NULL))
);
-- One at a time.
CREATE UNIQUE INDEX runs_open ON runs (season, room)
	WHERE state IN ('proposed', 'ready', 'running', 'settling');
CREATE INDEX runs_by_age ON runs (season, room, at DESC);

-- Each second as the generator saw it.
CREATE TABLE run_seconds (
	run text NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
	second integer NOT NULL,
	told jsonb NOT NULL,
	PRIMARY KEY (run, second)
);

-- Down Migration
DROP TABLE run_seconds;
DROP TABLE runs;
