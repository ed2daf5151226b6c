-- Up Migration
CREATE TABLE record (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	at timestamptz NOT NULL,
	actor text NOT NULL,
	action text NOT NULL,
	subject text,
	reason text,
	before jsonb,
	after jsonb
);
CREATE INDEX record_at ON record (at);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'the record is append-only';
END $$;
CREATE TRIGGER record_append_only BEFORE UPDATE OR DELETE ON record FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER record_no_truncate BEFORE TRUNCATE ON record FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE command_keys (
	account text NOT NULL,
	key text NOT NULL,
	body_sha256 text NOT NULL,
	status integer NOT NULL,
	body jsonb,
	created_at timestamptz NOT NULL,
	PRIMARY KEY (account, key)
);
CREATE INDEX command_keys_created_at ON command_keys (created_at);

CREATE TABLE leaders (
	name text PRIMARY KEY,
	term bigint NOT NULL,
	instance text NOT NULL,
	since timestamptz NOT NULL
);

-- Down Migration
DROP TABLE leaders;
DROP TABLE command_keys;
DROP TABLE record;
DROP FUNCTION refuse_change();
