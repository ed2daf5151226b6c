-- Up Migration
CREATE TABLE teams (
	id text PRIMARY KEY,
	season text NOT NULL,
	site text NOT NULL,
	version bigint NOT NULL,
	names jsonb NOT NULL,
	channel text NOT NULL,
	phone text NOT NULL,
	members integer NOT NULL CHECK (members > 0),
	home text,
	shift_from text,
	shift_to text,
	off_duty boolean NOT NULL DEFAULT false,
	place_zone text,
	place_at timestamptz,
	created_at timestamptz NOT NULL,
	retired_at timestamptz
);
CREATE INDEX teams_of_site ON teams (season, site) WHERE retired_at IS NULL;

CREATE TABLE team_leaders (
	team text NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
	account uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
	PRIMARY KEY (team, account)
);

-- One order to one team. steps: every state with its clock and who said it, oldest first.
CREATE TABLE dispatches (
	id text PRIMARY KEY,
	season text NOT NULL,
	site text NOT NULL,
	team text NOT NULL REFERENCES teams (id),
	source_kind text NOT NULL CHECK (source_kind IN ('alarm', 'incident', 'hand')),
	source_id text,
	place jsonb NOT NULL,
	task text,
	priority text NOT NULL CHECK (priority IN ('critical', 'high', 'medium', 'low')),
	state text NOT NULL CHECK (state IN
		('reserved', 'sent', 'acknowledged', 'on-the-way', 'on-the-spot', 'done', 'cannot', 'cancelled')),
	steps jsonb NOT NULL,
	starts_at timestamptz,
	created_at timestamptz NOT NULL,
	well_at timestamptz,
	heat boolean NOT NULL DEFAULT false,
	support jsonb,
	reason text,
	forced text,
	walk_minutes jsonb,
	replaced_by text,
	-- Set in every state that nobody waits for any more.
	closed_at timestamptz
);
CREATE INDEX dispatches_open ON dispatches (season, site) WHERE closed_at IS NULL;
CREATE INDEX dispatches_closed ON dispatches (season, site, closed_at);
CREATE INDEX dispatches_team ON dispatches (team) WHERE closed_at IS NULL;
CREATE INDEX dispatches_source ON dispatches (source_kind, source_id);

-- No personal data: kind, place and a short note; the words are deleted after their time.
CREATE TABLE incidents (
	id text PRIMARY KEY,
	season text NOT NULL,
	site text NOT NULL,
	kind text NOT NULL,
	place jsonb NOT NULL,
	note text,
	opened_at timestamptz NOT NULL,
	opened_by text NOT NULL,
	told jsonb NOT NULL,
	claim_by text,
	claim_by_id uuid,
	claim_at timestamptz,
	heartbeat_at timestamptz,
	outcome text,
	outcome_note text,
	closed_by text,
	closed_at timestamptz
);
CREATE INDEX incidents_open ON incidents (season, site) WHERE closed_at IS NULL;
CREATE INDEX incidents_closed ON incidents (season, site, closed_at);

CREATE TABLE handovers (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	season text NOT NULL,
	site text NOT NULL,
	at timestamptz NOT NULL,
	by_name text NOT NULL,
	note text NOT NULL
);
CREATE INDEX handovers_of_site ON handovers (season, site, at);

CREATE TABLE state_sheets (
	season text NOT NULL,
	site text NOT NULL,
	at timestamptz NOT NULL,
	sheet jsonb NOT NULL,
	PRIMARY KEY (season, site, at)
);

-- Down Migration
DROP TABLE state_sheets;
DROP TABLE handovers;
DROP TABLE incidents;
DROP TABLE dispatches;
DROP TABLE team_leaders;
DROP TABLE teams;
