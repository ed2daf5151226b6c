-- Up Migration
-- People that had come into the zone by its counters when the anchor was set, and the error of the counting before it.
ALTER TABLE zone_anchors ADD COLUMN flow_in bigint NOT NULL DEFAULT 0;
ALTER TABLE zone_anchors ADD COLUMN error real;
-- The night that a scheduled anchor belongs to, by the date of the site: it is set once, whoever leads.
ALTER TABLE zone_anchors ADD COLUMN night date;
CREATE UNIQUE INDEX zone_anchors_night ON zone_anchors (site, zone, night) WHERE night IS NOT NULL;

-- Down Migration
DROP INDEX zone_anchors_night;
ALTER TABLE zone_anchors DROP COLUMN night;
ALTER TABLE zone_anchors DROP COLUMN error;
ALTER TABLE zone_anchors DROP COLUMN flow_in;
