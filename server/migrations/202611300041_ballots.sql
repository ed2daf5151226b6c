-- Up Migration
CREATE TABLE ballots (
	draw integer PRIMARY KEY REFERENCES draws ON DELETE CASCADE,
	-- When the list is frozen and drawn.
	closes_at timestamptz NOT NULL,
	-- Slots that may be chosen.
	slots integer[] NOT NULL,
	-- What there was to give, counted when the list was frozen.
	rules jsonb,
	-- Parties with and without a slot, once the order was walked.
	placed integer,
	unplaced integer
);
-- The slot that a ballot has given.
ALTER TABLE draw_entries ADD COLUMN slot integer;

-- Down Migration
ALTER TABLE draw_entries DROP COLUMN slot;
DROP TABLE ballots;
