-- Up Migration
-- A hand-over is of two people: who signed (an account; null before this migration) and who took over.
ALTER TABLE handovers
	ADD COLUMN by_account text,
	ADD COLUMN taken_at timestamptz,
	ADD COLUMN taken_by_name text;

-- Down Migration
ALTER TABLE handovers DROP COLUMN by_account, DROP COLUMN taken_at, DROP COLUMN taken_by_name;
