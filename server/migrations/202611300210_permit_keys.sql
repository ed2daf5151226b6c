-- Up Migration
-- The index of a permit in the revocation list is worked out from its serial, which is never used twice.
CREATE SEQUENCE permit_serials;
ALTER TABLE permits ADD COLUMN serial bigint NOT NULL DEFAULT nextval('permit_serials');
ALTER TABLE permits ADD COLUMN key_id text;
CREATE UNIQUE INDEX permits_one_a_serial ON permits (season, serial);
CREATE INDEX permits_revoked ON permits (season, ends_at) INCLUDE (serial) WHERE state = 'cancelled';

-- What the permits of a season are written with. tag_key is encrypted under the master secret.
CREATE TABLE permit_seasons (
	season text PRIMARY KEY,
	number integer NOT NULL UNIQUE CHECK (number BETWEEN 1 AND 65535),
	status_key bytea NOT NULL,
	tag_key bytea NOT NULL
);

-- Keys that sign permits. private_key is encrypted under the master secret. A kid is never used again.
CREATE TABLE permit_keys (
	season text NOT NULL REFERENCES permit_seasons (season),
	kid text NOT NULL CHECK (kid ~ '^[0-9a-f]{8}$'),
	public_key bytea NOT NULL CHECK (length(public_key) = 32),
	private_key bytea NOT NULL,
	created_at timestamptz NOT NULL,
	not_before timestamptz NOT NULL,
	not_after timestamptz NOT NULL,
	-- Signs as soon as it is listed: it stands in for a key that was lost.
	urgent boolean NOT NULL DEFAULT false,
	listed_at timestamptz,
	compromised_at timestamptz,
	PRIMARY KEY (season, kid)
);

-- Roots that key lists are signed under. private_key only of a root that this server made for itself (demo, laboratory).
CREATE TABLE permit_roots (
	season text NOT NULL REFERENCES permit_seasons (season),
	kid text NOT NULL CHECK (kid ~ '^[0-9a-f]{8}$'),
	public_key bytea NOT NULL CHECK (length(public_key) = 32),
	private_key bytea,
	pinned_at timestamptz NOT NULL,
	PRIMARY KEY (season, kid)
);

-- The newest signed list of each kind; mark says what it was made from.
CREATE TABLE permit_lists (
	season text NOT NULL REFERENCES permit_seasons (season),
	kind text NOT NULL CHECK (kind IN ('keys', 'revocations')),
	version bigint NOT NULL CHECK (version > 0),
	issued_at timestamptz NOT NULL,
	next_update_at timestamptz NOT NULL,
	mark text NOT NULL,
	body bytea NOT NULL,
	PRIMARY KEY (season, kind)
);

-- A key list that waits for the signature of a root which is not here.
CREATE TABLE permit_list_drafts (
	season text PRIMARY KEY REFERENCES permit_seasons (season),
	mark text NOT NULL,
	made_at timestamptz NOT NULL,
	payload bytea NOT NULL
);

-- Numbers that stand for names in permits: once given, they keep their meaning. Gates count within their place.
CREATE TABLE permit_numbers (
	season text NOT NULL REFERENCES permit_seasons (season),
	kind text NOT NULL CHECK (kind IN ('place', 'gate', 'category')),
	place text NOT NULL DEFAULT '',
	name text NOT NULL,
	number integer NOT NULL,
	PRIMARY KEY (season, kind, place, name),
	UNIQUE (season, kind, place, number)
);

-- Down Migration
DROP TABLE permit_numbers;
DROP TABLE permit_list_drafts;
DROP TABLE permit_lists;
DROP TABLE permit_roots;
DROP TABLE permit_keys;
DROP TABLE permit_seasons;
ALTER TABLE permits DROP COLUMN key_id, DROP COLUMN serial;
DROP SEQUENCE permit_serials;
