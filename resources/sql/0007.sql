-- Step 7: runs keep whether the method learned from the gold it was scored by.
ALTER TABLE runs ADD COLUMN gold_seen INTEGER NOT NULL DEFAULT 0;  -- 1 if so; 0 also if unknown

PRAGMA user_version = 7;
