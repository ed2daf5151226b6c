-- Up Migration
-- With several instances the queue lives in Valkey, and these tables follow it: a ticket at most a moment behind, a
-- pass before anybody hears of it.
ALTER TABLE tickets ADD COLUMN version bigint NOT NULL DEFAULT 0 CHECK (version >= 0);

-- How long claim windows and passes have stood still in this epoch (due times of `tickets` and `passes` written from
-- Valkey do not hold it), and the last such times.
ALTER TABLE rooms ADD COLUMN stopped_ms double precision NOT NULL DEFAULT 0 CHECK (stopped_ms >= 0);
ALTER TABLE rooms ADD COLUMN stops text NOT NULL DEFAULT '';

-- One pass a ticket: an emptied Valkey issues no second one.
CREATE TABLE passes (
	season text NOT NULL,
	room text NOT NULL,
	epoch integer NOT NULL,
	number integer NOT NULL CHECK (number > 0),
	-- Keyed hash of the person, never the person.
	holder text NOT NULL,
	party smallint NOT NULL CHECK (party BETWEEN 1 AND 20),
	claimed_at timestamptz NOT NULL,
	due_at timestamptz NOT NULL,
	extended_ms integer NOT NULL CHECK (extended_ms >= 0),
	ended_at timestamptz,
	PRIMARY KEY (season, room, epoch, number)
);

-- Down Migration
DROP TABLE passes;
ALTER TABLE rooms DROP COLUMN stops;
ALTER TABLE rooms DROP COLUMN stopped_ms;
ALTER TABLE tickets DROP COLUMN version;
