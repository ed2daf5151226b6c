-- Up Migration
-- Of each of a scanner's last starts: both its clocks beside ours when it last spoke. With that an entry of an earlier start is
-- told by the clock that never jumps, although the other one was set after that contact.
ALTER TABLE scanners ADD COLUMN contacts jsonb NOT NULL DEFAULT '[]';

-- Down Migration
ALTER TABLE scanners DROP COLUMN contacts;
