-- Up Migration
-- People let in under a key that nobody could judge: of `scanned_in`.
ALTER TABLE entry_minutes ADD COLUMN unproven_in bigint NOT NULL DEFAULT 0;

-- Down Migration
ALTER TABLE entry_minutes DROP COLUMN unproven_in;
