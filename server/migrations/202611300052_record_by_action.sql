-- Up Migration
-- "Who set the rate last" is asked of the newest lines of one kind, in a record of a whole season.
CREATE INDEX record_by_action ON record (action, id);

-- Down Migration
DROP INDEX record_by_action;
