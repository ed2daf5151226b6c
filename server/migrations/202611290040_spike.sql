-- Up Migration
CREATE TABLE spike_samples (
	season text NOT NULL,
	room text NOT NULL,
	at timestamptz NOT NULL,
	-- One second as kept in memory: sums, gauges and the booking histogram, so that seconds can be merged truly.
	sample jsonb NOT NULL,
	PRIMARY KEY (season, room, at)
);

-- Down Migration
DROP TABLE spike_samples;
