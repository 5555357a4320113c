-- Which master key wrapped a keyset, by its fingerprint: tells how far a change of the master key has come. Empty where nobody
-- noted it: a version before this one wrote the row, or a backup of before was restored.

ALTER TABLE keysets ADD COLUMN master TEXT NOT NULL DEFAULT '';

CREATE INDEX keysets_by_master ON keysets (master) WHERE destroyed_at IS NULL;
