-- Up Migration
-- What each gate was commanded and what its steward said. The last two constraints: an exit is never anything but open,
-- whatever path a change takes.
CREATE TABLE gates (
	site text NOT NULL,
	gate text NOT NULL,
	direction text NOT NULL CHECK (direction IN ('in', 'out')),
	-- Rises with each command: what a caller stands on.
	version integer NOT NULL,
	-- Rises with each change, confirmations too: what an instance has seen.
	revision integer NOT NULL,
	state text NOT NULL CHECK (state IN ('open', 'metered', 'held', 'closed')),
	rate_per_minute integer CHECK (rate_per_minute > 0),
	hold_since timestamptz,
	hold_until timestamptz,
	reopen_step integer CHECK (reopen_step > 0),
	reopen_steps integer CHECK (reopen_steps >= reopen_step),
	by_name text,
	reason text,
	at timestamptz NOT NULL,
	confirmed_state text CHECK (confirmed_state IN ('open', 'metered', 'held', 'closed')),
	confirmed_version integer,
	confirmed_by text,
	confirmed_by_radio boolean,
	confirmed_at timestamptz,
	PRIMARY KEY (site, gate),
	CHECK ((state = 'metered') = (rate_per_minute IS NOT NULL)),
	CHECK ((state = 'held') = (hold_since IS NOT NULL AND hold_until IS NOT NULL)),
	CHECK (state = 'metered' OR reopen_step IS NULL),
	CONSTRAINT an_exit_is_open CHECK (direction = 'in' OR state = 'open'),
	CONSTRAINT an_exit_is_confirmed_open CHECK (direction = 'in' OR confirmed_state IS NULL OR confirmed_state = 'open')
);

CREATE TABLE evacuations (
	id text PRIMARY KEY,
	site text NOT NULL,
	version integer NOT NULL,
	scope jsonb NOT NULL,
	reason text NOT NULL,
	holder_id text NOT NULL,
	holder_name text NOT NULL,
	holder_since timestamptz NOT NULL,
	started_at timestamptz NOT NULL,
	ended_at timestamptz,
	ended_by text,
	end_reason text,
	CHECK ((ended_at IS NULL) = (ended_by IS NULL)),
	CHECK ((ended_at IS NULL) = (end_reason IS NULL))
);
-- Of two people who start one at the same moment, one does.
CREATE UNIQUE INDEX evacuations_one_at_a_time ON evacuations (site) WHERE ended_at IS NULL;
CREATE INDEX evacuations_newest ON evacuations (site, version DESC);

-- "Not now": a proposal that a person set aside, with the reason on the record.
CREATE TABLE gate_dismissals (
	site text NOT NULL,
	proposal text NOT NULL,
	at timestamptz NOT NULL,
	PRIMARY KEY (site, proposal)
);

-- Down Migration
DROP TABLE gate_dismissals;
DROP TABLE evacuations;
DROP TABLE gates;
