-- Up Migration
CREATE TABLE slots (
	season text NOT NULL,
	room text NOT NULL,
	id integer NOT NULL CHECK (id > 0),
	place text NOT NULL,
	starts_at timestamptz NOT NULL,
	ends_at timestamptz NOT NULL,
	capacity integer NOT NULL CHECK (capacity >= 0),
	-- People in valid permits, and the number of those permits.
	booked integer NOT NULL DEFAULT 0,
	permits integer NOT NULL DEFAULT 0 CHECK (permits >= 0),
	PRIMARY KEY (season, room, id),
	UNIQUE (season, room, place, starts_at),
	CONSTRAINT slots_window CHECK (ends_at > starts_at),
	CONSTRAINT slots_never_oversold CHECK (booked BETWEEN 0 AND capacity)
) WITH (fillfactor = 50);

CREATE TABLE permits (
	season text NOT NULL,
	id text NOT NULL,
	-- Keyed hash of the person; no name stands here.
	holder text NOT NULL,
	room text NOT NULL,
	slot integer NOT NULL,
	place text NOT NULL,
	starts_at timestamptz NOT NULL,
	ends_at timestamptz NOT NULL,
	party integer NOT NULL CHECK (party BETWEEN 1 AND 20),
	-- The waiting-room ticket whose pass was spent on it; null where the laboratory needs no pass.
	ticket text,
	state text NOT NULL DEFAULT 'valid' CHECK (state IN ('valid', 'cancelled')),
	issued_at timestamptz NOT NULL,
	cancelled_at timestamptz,
	PRIMARY KEY (season, id)
);
CREATE UNIQUE INDEX permits_one_a_person ON permits (season, holder) WHERE state = 'valid';
CREATE UNIQUE INDEX permits_one_a_pass ON permits (season, ticket) WHERE ticket IS NOT NULL;

CREATE TABLE booking_keys (
	season text NOT NULL,
	holder text NOT NULL,
	key text NOT NULL,
	body_sha256 text NOT NULL,
	answer jsonb NOT NULL,
	created_at timestamptz NOT NULL,
	PRIMARY KEY (season, holder, key)
);

-- Down Migration
DROP TABLE booking_keys;
DROP TABLE permits;
DROP TABLE slots;
