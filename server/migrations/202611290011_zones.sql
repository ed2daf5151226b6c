-- Up Migration
-- Where the counting of a zone starts: people then, and the net flow of its counters at that moment.
CREATE TABLE zone_anchors (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	site text NOT NULL,
	zone text NOT NULL,
	at timestamptz NOT NULL,
	present bigint NOT NULL,
	net_flow bigint NOT NULL,
	-- present minus what the counting said before; null for the first.
	correction bigint,
	actor text NOT NULL,
	reason text NOT NULL
);
CREATE INDEX zone_anchors_newest ON zone_anchors (site, zone, id DESC);

-- One sample a zone every ten seconds; present is null where nobody knew.
CREATE TABLE zone_samples (
	site text NOT NULL,
	zone text NOT NULL,
	at timestamptz NOT NULL,
	present bigint,
	net_per_minute real,
	quality text NOT NULL,
	PRIMARY KEY (site, zone, at)
);
CREATE INDEX zone_samples_at ON zone_samples (at);

-- Down Migration
DROP TABLE zone_samples;
DROP TABLE zone_anchors;
