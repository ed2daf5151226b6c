-- Up Migration
-- A held permit keeps places in another slot for somebody whose own slot shrinks; it is valid once the old one is not.
ALTER TABLE permits DROP CONSTRAINT permits_state_check;
ALTER TABLE permits ADD CONSTRAINT permits_state_check CHECK (state IN ('valid', 'cancelled', 'held'));
CREATE UNIQUE INDEX permits_one_held ON permits (season, holder) WHERE state = 'held';
CREATE INDEX permits_of_slot ON permits (season, room, slot) WHERE state <> 'cancelled';

-- Slots that shrink or close, with the reason, and what becomes of whoever does not answer.
CREATE TABLE reductions (
	season text NOT NULL,
	room text NOT NULL,
	id text NOT NULL,
	state text NOT NULL CHECK (state IN ('proposed', 'running', 'done', 'withdrawn', 'lapsed')),
	request jsonb NOT NULL,
	expected_people integer NOT NULL,
	by_id text NOT NULL,
	by_name text NOT NULL,
	confirmed_by text,
	proposed_at timestamptz NOT NULL,
	expires_at timestamptz NOT NULL,
	started_at timestamptz,
	ended_at timestamptz,
	PRIMARY KEY (season, id)
);
CREATE INDEX reductions_newest ON reductions (season, room, proposed_at);

CREATE TABLE reduction_slots (
	season text NOT NULL,
	reduction text NOT NULL,
	slot integer NOT NULL,
	place text NOT NULL,
	starts_at timestamptz NOT NULL,
	ends_at timestamptz NOT NULL,
	capacity_before integer NOT NULL,
	capacity_after integer NOT NULL CHECK (capacity_after >= 0),
	people_kept integer NOT NULL,
	people_inside integer NOT NULL,
	PRIMARY KEY (season, reduction, slot),
	FOREIGN KEY (season, reduction) REFERENCES reductions (season, id) ON DELETE CASCADE
);

-- Who is affected, in the order in which they are offered places, and what came of it.
CREATE TABLE reduction_permits (
	season text NOT NULL,
	reduction text NOT NULL,
	permit text NOT NULL,
	position integer NOT NULL,
	slot integer NOT NULL,
	party integer NOT NULL,
	state text NOT NULL CHECK (state IN ('new', 'offered', 'waiting', 'accepted', 'moved', 'declined', 'changed',
		'revoked', 'kept', 'entered', 'withdrawn')),
	-- The permit that holds the places offered, later the one that is valid instead.
	successor text,
	answer_until timestamptz,
	settled_at timestamptz,
	PRIMARY KEY (season, reduction, permit),
	FOREIGN KEY (season, reduction) REFERENCES reductions (season, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX reduction_permits_one_open ON reduction_permits (season, permit)
	WHERE state IN ('new', 'offered', 'waiting');
CREATE INDEX reduction_permits_open ON reduction_permits (season, reduction, state, position)
	WHERE state IN ('new', 'offered', 'waiting');
CREATE INDEX reduction_permits_moved ON reduction_permits (season, successor) WHERE successor IS NOT NULL;

-- For so long gates honour a permit that was moved.
ALTER TABLE entry_places ADD COLUMN moved_grace_seconds integer NOT NULL DEFAULT 1800
	CHECK (moved_grace_seconds >= 0);

-- Down Migration
ALTER TABLE entry_places DROP COLUMN moved_grace_seconds;
DROP TABLE reduction_permits;
DROP TABLE reduction_slots;
DROP TABLE reductions;
DROP INDEX permits_of_slot;
DROP INDEX permits_one_held;
DELETE FROM permits WHERE state = 'held';
ALTER TABLE permits DROP CONSTRAINT permits_state_check;
ALTER TABLE permits ADD CONSTRAINT permits_state_check CHECK (state IN ('valid', 'cancelled'));
