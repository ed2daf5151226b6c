-- Up Migration
-- A capacity lowered below what is booked is allowed and flagged; nothing is sold until it has come down by itself.
ALTER TABLE slots ADD COLUMN overbooked integer NOT NULL DEFAULT 0 CHECK (overbooked >= 0);
ALTER TABLE slots DROP CONSTRAINT slots_never_oversold;
ALTER TABLE slots ADD CONSTRAINT slots_never_oversold CHECK (booked BETWEEN 0 AND capacity + overbooked);

-- By what a quota counts the person; null where nobody said. A permit that was changed names the one that replaced it.
ALTER TABLE permits ADD COLUMN country text, ADD COLUMN provider text, ADD COLUMN category text,
	ADD COLUMN replaced_by text;

CREATE TABLE quotas (
	season text NOT NULL,
	room text NOT NULL,
	id integer NOT NULL CHECK (id > 0),
	-- Null: over all slots of the season.
	slot integer,
	-- `slot` is the slot's own capacity where it is large enough to be sharded.
	dimension text NOT NULL CHECK (dimension IN ('category', 'provider', 'country', 'slot')),
	-- Who has no share of their own: refused, not counted, or served from the common share (value '').
	other text NOT NULL CHECK (other IN ('refuse', 'free', 'share')),
	returns_at timestamptz,
	returned_at timestamptz,
	PRIMARY KEY (season, room, id),
	CHECK (dimension <> 'slot' OR slot IS NOT NULL)
);
CREATE UNIQUE INDEX quotas_one_a_level ON quotas (season, room, coalesce(slot, 0), dimension);

-- As planned by people.
CREATE TABLE quota_shares (
	season text NOT NULL,
	room text NOT NULL,
	quota integer NOT NULL,
	value text NOT NULL,
	places integer NOT NULL CHECK (places >= 0),
	shards integer NOT NULL CHECK (shards > 0),
	PRIMARY KEY (season, room, quota, value),
	FOREIGN KEY (season, room, quota) REFERENCES quotas ON DELETE CASCADE
);

-- As it is counted.
CREATE TABLE quota_shards (
	season text NOT NULL,
	room text NOT NULL,
	quota integer NOT NULL,
	value text NOT NULL,
	shard integer NOT NULL CHECK (shard >= 0),
	places integer NOT NULL CHECK (places >= 0),
	booked integer NOT NULL DEFAULT 0,
	permits integer NOT NULL DEFAULT 0 CHECK (permits >= 0),
	overbooked integer NOT NULL DEFAULT 0 CHECK (overbooked >= 0),
	PRIMARY KEY (season, room, quota, value, shard),
	CONSTRAINT quota_shards_never_oversold CHECK (booked BETWEEN 0 AND places + overbooked),
	FOREIGN KEY (season, room, quota, value) REFERENCES quota_shares ON DELETE CASCADE
) WITH (fillfactor = 50);

-- Which shards a valid permit's places came from: they go back there.
CREATE TABLE quota_takes (
	season text NOT NULL,
	room text NOT NULL,
	permit text NOT NULL,
	quota integer NOT NULL,
	value text NOT NULL,
	shard integer NOT NULL,
	people integer NOT NULL CHECK (people > 0),
	PRIMARY KEY (season, permit, quota, value, shard)
);
CREATE INDEX quota_takes_by_quota ON quota_takes (season, room, quota);

-- Slots with what is booked in all: in the row itself, or in the shards of a large one.
CREATE VIEW slot_fills AS
	SELECT s.season, s.room, s.id, s.place, s.starts_at, s.ends_at, s.capacity,
		coalesce(own.booked, s.booked)::integer AS booked,
		coalesce(own.permits, s.permits)::integer AS permits,
		coalesce(own.overbooked, s.overbooked)::integer AS overbooked,
		q.id AS quota
	FROM slots s
	LEFT JOIN quotas q ON q.season = s.season AND q.room = s.room AND q.slot = s.id AND q.dimension = 'slot'
	LEFT JOIN LATERAL (
		SELECT sum(booked) AS booked, sum(permits) AS permits, sum(overbooked) AS overbooked FROM quota_shards c
		WHERE c.season = q.season AND c.room = q.room AND c.quota = q.id) own ON q.id IS NOT NULL;

-- Down Migration
DROP VIEW slot_fills;
DROP TABLE quota_takes;
DROP TABLE quota_shards;
DROP TABLE quota_shares;
DROP TABLE quotas;
ALTER TABLE permits DROP COLUMN replaced_by, DROP COLUMN category, DROP COLUMN provider, DROP COLUMN country;
ALTER TABLE slots DROP CONSTRAINT slots_never_oversold;
ALTER TABLE slots ADD CONSTRAINT slots_never_oversold CHECK (booked BETWEEN 0 AND capacity);
ALTER TABLE slots DROP COLUMN overbooked;
