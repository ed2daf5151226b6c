-- Up Migration
-- What the season is planned with: known spikes, freezes, capacity orders, roster. What a line says is in its body,
-- in the words of the contract; times are worked out from it when it is read, for a month may move by a day.
CREATE TABLE season_entries (
	id uuid PRIMARY KEY,
	season text NOT NULL,
	site text NOT NULL,
	kind text NOT NULL CHECK (kind IN ('spike', 'freeze', 'order', 'duty')),
	version integer NOT NULL CHECK (version > 0),
	body jsonb NOT NULL,
	by_name text NOT NULL,
	at timestamptz NOT NULL,
	retired_at timestamptz
);
CREATE INDEX season_entries_living ON season_entries (season, site, kind) WHERE retired_at IS NULL;

-- First days of months as they were announced. Two people stand behind what is confirmed.
CREATE TABLE season_sightings (
	id uuid PRIMARY KEY,
	season text NOT NULL,
	site text NOT NULL,
	year smallint NOT NULL,
	month smallint NOT NULL CHECK (month BETWEEN 1 AND 12),
	first_day text NOT NULL CHECK (first_day ~ '^\d{4}-\d{2}-\d{2}$'),
	source text NOT NULL,
	reason text NOT NULL,
	by_id text NOT NULL,
	by_name text NOT NULL,
	at timestamptz NOT NULL,
	state text NOT NULL CHECK (state IN ('tentative', 'confirmed', 'withdrawn', 'replaced')),
	decided_id text,
	decided_by text,
	decided_at timestamptz,
	decided_reason text,
	CHECK (state <> 'confirmed' OR decided_id <> by_id)
);
CREATE UNIQUE INDEX season_sightings_open ON season_sightings (season, site, year, month) WHERE state = 'tentative';
CREATE UNIQUE INDEX season_sightings_in_force ON season_sightings (season, site, year, month)
	WHERE state = 'confirmed';

-- Down Migration
DROP TABLE season_sightings;
DROP TABLE season_entries;
