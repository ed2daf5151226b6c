-- Up Migration
-- What was written in Unleash for each flag; written_at null: still to be written, or to be written again.
CREATE TABLE flag_mirror (
	season text NOT NULL,
	room text NOT NULL,
	flag text NOT NULL,
	enabled boolean NOT NULL,
	written_at timestamptz,
	PRIMARY KEY (season, room, flag)
);

-- Down Migration
DROP TABLE flag_mirror;
