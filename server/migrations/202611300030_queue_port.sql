-- Up Migration
-- By how much the holder of a pass has renewed it.
ALTER TABLE tickets ADD COLUMN extended_ms integer NOT NULL DEFAULT 0 CHECK (extended_ms >= 0);

-- People placed in one go after a draw: how many of each list have their number, so that a crash repeats nobody.
CREATE TABLE placements (
	season text NOT NULL,
	room text NOT NULL,
	epoch integer NOT NULL,
	origin text NOT NULL,
	placed integer NOT NULL CHECK (placed >= 0),
	PRIMARY KEY (season, room, epoch, origin)
);

-- Down Migration
DROP TABLE placements;
ALTER TABLE tickets DROP COLUMN extended_ms;
