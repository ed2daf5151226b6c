-- Up Migration
-- Scanners: one gate each, for life. The token is shown once; only its hash is here.
CREATE TABLE scanners (
	id text PRIMARY KEY,
	site text NOT NULL,
	season text NOT NULL,
	name text NOT NULL,
	gate text NOT NULL,
	secret_sha256 bytea NOT NULL,
	created_at timestamptz NOT NULL,
	created_by text NOT NULL,
	revoked_at timestamptz,
	seen_at timestamptz,
	-- The newest comparison of its clock with ours, and the boot in which it was made.
	boot text,
	clock_offset_ms bigint,
	clock_uncertainty_ms bigint,
	report jsonb,
	newest_seq bigint NOT NULL DEFAULT 0,
	entries bigint NOT NULL DEFAULT 0,
	set_aside bigint NOT NULL DEFAULT 0
);
CREATE INDEX scanners_of_site ON scanners (site, season);

-- What was scanned or counted, once for each number of a scanner. Both clocks are kept beside the corrected time.
CREATE TABLE entries (
	scanner text NOT NULL REFERENCES scanners (id),
	seq bigint NOT NULL CHECK (seq > 0),
	season text NOT NULL,
	gate text NOT NULL,
	lane text,
	kind text NOT NULL CHECK (kind IN ('permit', 'count')),
	direction text NOT NULL CHECK (direction IN ('in', 'out')),
	people integer NOT NULL CHECK (people >= 0),
	verdict text CHECK (verdict IN ('green', 'amber', 'red')),
	cause text,
	flags text[] NOT NULL,
	findings text[] NOT NULL,
	-- Null from the start where there was none, and once the trail is deleted.
	permit text,
	party integer,
	reason text,
	keys_version bigint,
	revocations_version bigint,
	boot text NOT NULL,
	device_at timestamptz NOT NULL,
	uptime_ms bigint NOT NULL,
	offline boolean NOT NULL,
	received_at timestamptz NOT NULL,
	at timestamptz NOT NULL,
	uncertainty_ms bigint NOT NULL,
	-- Tells a repeat from another entry under the same number; goes with the permit.
	content_sha256 bytea,
	PRIMARY KEY (scanner, seq)
);
CREATE INDEX entries_of_permit ON entries (season, permit, at) WHERE permit IS NOT NULL;

-- What no store takes as an entry: kept, counted, and never asked for again.
CREATE TABLE entries_set_aside (
	scanner text NOT NULL REFERENCES scanners (id),
	key text NOT NULL,
	seq bigint,
	code text NOT NULL,
	content text,
	received_at timestamptz NOT NULL,
	PRIMARY KEY (scanner, key)
);
CREATE INDEX entries_set_aside_at ON entries_set_aside (received_at) WHERE content IS NOT NULL;

-- One row a permit that was scanned: the lock under which its use is judged, and when its trail goes.
CREATE TABLE entry_trails (
	season text NOT NULL,
	permit text NOT NULL,
	forget_at timestamptz NOT NULL,
	PRIMARY KEY (season, permit)
);
CREATE INDEX entry_trails_due ON entry_trails (forget_at);

CREATE TABLE entry_conflicts (
	id text PRIMARY KEY,
	season text NOT NULL,
	permit text,
	kind text NOT NULL CHECK (kind IN ('two-gates', 'second-use')),
	gates text[] NOT NULL,
	people integer NOT NULL,
	party integer NOT NULL,
	first_at timestamptz NOT NULL,
	last_at timestamptz NOT NULL,
	raised_at timestamptz NOT NULL,
	offline boolean NOT NULL,
	seen_by text,
	seen_at timestamptz,
	seen_reason text,
	UNIQUE (season, permit)
);
CREATE INDEX entry_conflicts_open ON entry_conflicts (season, raised_at) WHERE seen_at IS NULL;

-- People by the minute in which they passed, whenever that became known.
CREATE TABLE entry_minutes (
	season text NOT NULL,
	gate text NOT NULL,
	minute timestamptz NOT NULL,
	scanned_in bigint NOT NULL,
	scanned_out bigint NOT NULL,
	counted_in bigint NOT NULL,
	counted_out bigint NOT NULL,
	PRIMARY KEY (season, gate, minute)
);
-- And since ever; late ones apart, for they are no flow of the moment in which they came.
CREATE TABLE entry_totals (
	season text NOT NULL,
	gate text NOT NULL,
	people_in bigint NOT NULL,
	people_out bigint NOT NULL,
	late_in bigint NOT NULL,
	late_out bigint NOT NULL,
	PRIMARY KEY (season, gate)
);

CREATE TABLE entry_places (
	season text NOT NULL,
	place text NOT NULL,
	policy text NOT NULL CHECK (policy IN ('single', 're-entry', 'in-and-out')),
	early_seconds integer NOT NULL CHECK (early_seconds >= 0),
	late_seconds integer NOT NULL CHECK (late_seconds >= 0),
	slots jsonb NOT NULL,
	trail_hours integer NOT NULL CHECK (trail_hours > 0),
	version integer NOT NULL,
	PRIMARY KEY (season, place)
);

-- Down Migration
DROP TABLE entry_places;
DROP TABLE entry_totals;
DROP TABLE entry_minutes;
DROP TABLE entry_conflicts;
DROP TABLE entry_trails;
DROP TABLE entries_set_aside;
DROP TABLE entries;
DROP TABLE scanners;
