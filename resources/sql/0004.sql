-- Step 4: which versions of a page were seen when, so that a mark that finds no place any more can be
-- shown with the version it was made on.
CREATE TABLE versions (
    key    TEXT NOT NULL,                     -- of the page
    digest TEXT NOT NULL,                     -- SHA-256 of the page as opened
    seen   TEXT NOT NULL,                     -- first, UTC in ISO 8601
    PRIMARY KEY (key, digest)
) WITHOUT ROWID;
INSERT OR IGNORE INTO versions (key, digest, seen)
SELECT key, digest, visited FROM pages WHERE digest <> '' ORDER BY visited;

PRAGMA user_version = 4;
