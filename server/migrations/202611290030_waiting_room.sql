-- Up Migration
CREATE TABLE rooms (
	season text NOT NULL,
	room text NOT NULL,
	-- Tickets and passes of an older epoch are void.
	epoch integer NOT NULL CHECK (epoch > 0),
	-- Raised by every process that takes the room over: a frozen holder that wakes up is refused.
	term bigint NOT NULL,
	mode text NOT NULL CHECK (mode IN ('open', 'queue-all', 'passthrough', 'reject')),
	rate_per_second double precision NOT NULL CHECK (rate_per_second >= 0),
	rate_source text NOT NULL CHECK (rate_source IN ('default', 'configured', 'manager')),
	last_number integer NOT NULL CHECK (last_number >= 0),
	-- When the process that holds the room last wrote: the time it was away does not run against anybody.
	alive_at timestamptz NOT NULL,
	-- Since when claim windows and passes stand still (level 4).
	frozen_since timestamptz,
	PRIMARY KEY (season, room)
);

CREATE TABLE tickets (
	season text NOT NULL,
	room text NOT NULL,
	epoch integer NOT NULL,
	number integer NOT NULL CHECK (number > 0),
	-- Keyed hash of the person, never the person.
	holder text NOT NULL,
	party smallint NOT NULL CHECK (party BETWEEN 1 AND 20),
	state text NOT NULL CHECK (state IN ('waiting', 'called', 'admitted', 'done', 'expired', 'left')),
	-- A returner who missed the turn: called ahead of the main lane.
	late boolean NOT NULL,
	joined_at timestamptz NOT NULL,
	called_at timestamptz,
	claimed_at timestamptz,
	-- Until when the turn can be claimed, or the pass used.
	due_at timestamptz,
	ended_at timestamptz,
	PRIMARY KEY (season, room, epoch, number)
);
CREATE UNIQUE INDEX tickets_one_living ON tickets (season, room, epoch, holder)
	WHERE state IN ('waiting', 'called', 'admitted');

-- Down Migration
DROP TABLE tickets;
DROP TABLE rooms;
