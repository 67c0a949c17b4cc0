-- Step 5: each row carries a checksum of its other columns, so that a bit that turned on the disk is
-- noticed (annotate.checksums, which fills them in).  Runs and scores can be had again.
ALTER TABLE annotators ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE pages ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE marks ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE changes ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE comments ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE assignments ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE decisions ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE settings ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE versions ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;

PRAGMA user_version = 5;
