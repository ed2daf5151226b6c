-- Up Migration
-- Builds that served this database, one row each time another one began: marks on the charts.
CREATE TABLE builds (
	at timestamptz NOT NULL,
	build text NOT NULL,
	PRIMARY KEY (at, build)
);

-- Down Migration
DROP TABLE builds;
