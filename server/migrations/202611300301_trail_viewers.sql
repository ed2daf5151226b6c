-- Up Migration
-- Who may look at a trail that leads through this place.
ALTER TABLE entry_places ADD COLUMN trail_viewers text[] NOT NULL DEFAULT '{duty-manager,administrator}'
	CHECK (cardinality(trail_viewers) > 0);

-- Down Migration
ALTER TABLE entry_places DROP COLUMN trail_viewers;
