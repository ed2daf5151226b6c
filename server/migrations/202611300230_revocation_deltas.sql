-- Up Migration
-- A permit that was moved with its holder's slot is honoured at the gates until then; it is revoked after that.
ALTER TABLE permits ADD COLUMN honoured_until timestamptz;
CREATE INDEX permits_moved ON permits (season, place, ends_at) WHERE honoured_until IS NOT NULL;
CREATE INDEX permits_moved_to ON permits (season, replaced_by) WHERE honoured_until IS NOT NULL;

-- Which bits turned with each version of the revocation list: whoever has an older one gets the difference. Null: too many.
CREATE TABLE permit_revocation_turns (
	season text NOT NULL REFERENCES permit_seasons (season),
	version bigint NOT NULL CHECK (version > 0),
	turned integer[],
	PRIMARY KEY (season, version)
);

-- Down Migration
DROP TABLE permit_revocation_turns;
DROP INDEX permits_moved_to;
DROP INDEX permits_moved;
ALTER TABLE permits DROP COLUMN honoured_until;
