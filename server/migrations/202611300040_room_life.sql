-- Up Migration
CREATE TABLE room_schedules (
	season text NOT NULL,
	room text NOT NULL,
	-- Counts the edits: who stands on an older one is refused.
	version integer NOT NULL CHECK (version > 0),
	pre_queue_opens_at timestamptz,
	opens_at timestamptz,
	closes_at timestamptz,
	expected_total integer CHECK (expected_total >= 0),
	anonymous_places boolean NOT NULL,
	notice_seconds integer NOT NULL CHECK (notice_seconds >= 0),
	PRIMARY KEY (season, room)
);

CREATE TABLE draws (
	id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	season text NOT NULL,
	room text NOT NULL,
	epoch integer NOT NULL,
	kind text NOT NULL CHECK (kind IN ('opening', 'ballot')),
	-- closing: everybody drawn is placed, latecomers are being placed and no more of them are taken in.
	state text NOT NULL CHECK (state IN ('committed', 'frozen', 'drawn', 'closing', 'placed', 'void')),
	-- Together with the master secret it gives the draw's keys; alone it says nothing.
	nonce bytea NOT NULL,
	commitment text NOT NULL,
	committed_at timestamptz NOT NULL,
	registered integer NOT NULL DEFAULT 0 CHECK (registered >= 0),
	frozen_at timestamptz,
	root text,
	waits_for_round bigint,
	randomness text,
	randomness_source text,
	randomness_round bigint,
	randomness_simulated boolean,
	randomness_at timestamptz,
	-- Published, and so stored, only once the draw is done.
	secret text,
	drawn_at timestamptz,
	-- Entries that stand in the room already, in the order drawn.
	placed integer NOT NULL DEFAULT 0 CHECK (placed >= 0),
	placed_at timestamptz,
	first_number integer,
	-- Which instance works on it, and until when the others leave it alone.
	worker text,
	worker_until timestamptz
);
CREATE UNIQUE INDEX draws_one_running ON draws (season, room, kind)
	WHERE state IN ('committed', 'frozen', 'drawn', 'closing');

CREATE TABLE draw_entries (
	draw integer NOT NULL REFERENCES draws ON DELETE CASCADE,
	-- Opaque id under the draw's key.
	entry bytea NOT NULL,
	-- Keyed hash of the person or of a browser's key.
	holder text NOT NULL,
	party smallint NOT NULL CHECK (party BETWEEN 1 AND 20),
	-- What a ballot adds.
	wishes text NOT NULL DEFAULT '',
	-- Came after the list was closed: not in it, placed behind it in this order.
	late_order bigint,
	rank bytea,
	place integer,
	PRIMARY KEY (draw, entry)
);
CREATE INDEX draw_entries_next ON draw_entries (draw, rank) WHERE place IS NULL AND late_order IS NULL;
CREATE INDEX draw_entries_late ON draw_entries (draw, late_order) WHERE late_order IS NOT NULL;
CREATE SEQUENCE draw_late_order;

-- Roots of the blocks of the frozen list: a proof needs these and one block.
CREATE TABLE draw_blocks (
	draw integer NOT NULL REFERENCES draws ON DELETE CASCADE,
	block integer NOT NULL,
	first_entry bytea NOT NULL,
	root bytea NOT NULL,
	PRIMARY KEY (draw, block)
);

-- Who is prepared: a keyed hash and nothing else; the count is kept beside it.
CREATE TABLE prepared_people (
	season text NOT NULL,
	tag bytea NOT NULL,
	PRIMARY KEY (season, tag)
);
CREATE TABLE prepared_totals (
	season text PRIMARY KEY,
	people integer NOT NULL CHECK (people >= 0)
);

-- Down Migration
DROP TABLE prepared_totals;
DROP TABLE prepared_people;
DROP TABLE draw_blocks;
DROP SEQUENCE draw_late_order;
DROP TABLE draw_entries;
DROP TABLE draws;
DROP TABLE room_schedules;
