-- Up Migration
CREATE TABLE accounts (
	id uuid PRIMARY KEY,
	email text NOT NULL UNIQUE CHECK (email = lower(email)),
	name text NOT NULL,
	role text NOT NULL,
	password_hash text NOT NULL,
	-- Made from DEMO_PASSWORD: good for nothing in a server that is not a demo.
	demo boolean NOT NULL DEFAULT false,
	created_at timestamptz NOT NULL,
	disabled_at timestamptz
);

CREATE TABLE sessions (
	token_sha256 text PRIMARY KEY,
	account uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
	created_at timestamptz NOT NULL,
	last_seen timestamptz NOT NULL,
	expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_account ON sessions (account);
CREATE INDEX sessions_expires_at ON sessions (expires_at);

CREATE TABLE device_tokens (
	token_sha256 text PRIMARY KEY,
	id uuid NOT NULL UNIQUE,
	name text NOT NULL,
	role text NOT NULL CHECK (role IN ('viewer', 'metrics')),
	created_at timestamptz NOT NULL
);

-- At most one: the link by which the first administrator of a new installation comes in.
CREATE TABLE first_links (
	singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
	token_sha256 text NOT NULL,
	expires_at timestamptz NOT NULL
);

-- Down Migration
DROP TABLE first_links;
DROP TABLE device_tokens;
DROP TABLE sessions;
DROP TABLE accounts;
