-- Up Migration
-- What was let in and is no permit of ours is raised by its own name, and counts as a use of nobody's.
ALTER TABLE entry_conflicts DROP CONSTRAINT entry_conflicts_kind_check;
ALTER TABLE entry_conflicts ADD CONSTRAINT entry_conflicts_kind_check
	CHECK (kind IN ('two-gates', 'second-use', 'not-genuine'));

-- Down Migration
DELETE FROM entry_conflicts WHERE kind = 'not-genuine';
ALTER TABLE entry_conflicts DROP CONSTRAINT entry_conflicts_kind_check;
ALTER TABLE entry_conflicts ADD CONSTRAINT entry_conflicts_kind_check CHECK (kind IN ('two-gates', 'second-use'));
