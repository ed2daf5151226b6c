-- Up Migration
-- What the counting of each device remembers: written in the same commit as what it counted.
CREATE TABLE sensor_devices (
	site text NOT NULL,
	device text NOT NULL,
	readings bigint NOT NULL,
	rejects jsonb NOT NULL,
	online boolean,
	last_reading_at timestamptz,
	clock jsonb NOT NULL,
	seen jsonb NOT NULL,
	simulated boolean NOT NULL,
	PRIMARY KEY (site, device)
);

-- One row a counter, kept after it left the site file: the people it counted stay counted.
CREATE TABLE sensor_counters (
	site text NOT NULL,
	counter text NOT NULL,
	from_zone text,
	to_zone text,
	total_in bigint NOT NULL,
	total_out bigint NOT NULL,
	state jsonb NOT NULL,
	PRIMARY KEY (site, counter)
);

-- Keys of messages that carry no sequence, against duplicates.
CREATE TABLE sensor_message_keys (
	site text NOT NULL,
	device text NOT NULL,
	key text NOT NULL,
	at timestamptz NOT NULL,
	PRIMARY KEY (site, device, key)
);
CREATE INDEX sensor_message_keys_at ON sensor_message_keys (at);

-- People by counter and minute of arrival: totals of a period, and history.
CREATE TABLE sensor_flows (
	site text NOT NULL,
	device text NOT NULL,
	counter text NOT NULL,
	minute timestamptz NOT NULL,
	people_in bigint NOT NULL,
	people_out bigint NOT NULL,
	readings integer NOT NULL,
	PRIMARY KEY (site, counter, minute)
);
CREATE INDEX sensor_flows_device ON sensor_flows (site, device, minute);
CREATE INDEX sensor_flows_minute ON sensor_flows (minute);

-- Secrets of devices and bridges on the embedded broker and the readings call: hashes of long random secrets.
CREATE TABLE device_credentials (
	device text PRIMARY KEY,
	kind text NOT NULL CHECK (kind IN ('device', 'bridge')),
	secret_sha256 bytea NOT NULL,
	created_at timestamptz NOT NULL
);

-- Down Migration
DROP TABLE device_credentials;
DROP TABLE sensor_flows;
DROP TABLE sensor_message_keys;
DROP TABLE sensor_counters;
DROP TABLE sensor_devices;
