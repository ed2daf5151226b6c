-- Up Migration
-- What the first person was shown, for the second one to see before they confirm.
ALTER TABLE reductions ADD COLUMN forecast jsonb;

-- Down Migration
ALTER TABLE reductions DROP COLUMN forecast;
