-- Up Migration
-- Several instances write seconds of their own; whoever reads merges them. Roll-ups stand beside the seconds.
ALTER TABLE spike_samples ADD COLUMN step smallint NOT NULL DEFAULT 1;
ALTER TABLE spike_samples ADD COLUMN instance text NOT NULL DEFAULT '';
ALTER TABLE spike_samples DROP CONSTRAINT spike_samples_pkey;
ALTER TABLE spike_samples ADD PRIMARY KEY (season, room, step, at, instance);
-- What is too old goes, of every room and season.
CREATE INDEX spike_samples_by_age ON spike_samples (step, at);

-- Down Migration
DELETE FROM spike_samples WHERE step > 1;
DELETE FROM spike_samples a USING spike_samples b
	WHERE a.season = b.season AND a.room = b.room AND a.at = b.at AND a.instance > b.instance;
DROP INDEX spike_samples_by_age;
ALTER TABLE spike_samples DROP CONSTRAINT spike_samples_pkey;
ALTER TABLE spike_samples DROP COLUMN step, DROP COLUMN instance;
ALTER TABLE spike_samples ADD PRIMARY KEY (season, room, at);
