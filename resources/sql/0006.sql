-- Step 6: runs keep how much of gold and extract is on the page, and what a word was.
ALTER TABLE runs ADD COLUMN gold_on_page REAL;      -- share of its words or blocks; NULL if unknown
ALTER TABLE runs ADD COLUMN extract_on_page REAL;   -- share of its words; NULL of blocks
ALTER TABLE runs ADD COLUMN word_unit TEXT NOT NULL DEFAULT '';  -- characters or clauses; '' of blocks

PRAGMA user_version = 6;
