-- Step 2: runs keep all that tells whether their scores still hold.  Until now nothing was ever
-- written to these tables, nor to the notes on pages.
DROP TABLE scores;
DROP TABLE runs;
ALTER TABLE pages DROP COLUMN note;

-- The last run of each method on each page in one input with one set of parameters.
CREATE TABLE runs (
    id       INTEGER PRIMARY KEY,
    page     INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    made     REAL    NOT NULL,                -- seconds since 1970, UTC
    gold     TEXT    NOT NULL,                -- SHA-256 of the gold it was scored by; '' if unknown
    digest   TEXT    NOT NULL,                -- SHA-256 of the document; '' if it could not be read
    bytes    INTEGER NOT NULL,                -- of what was read; 0 if unknown
    renderer TEXT    NOT NULL,                -- name and version; '' where nothing was rendered
    viewport TEXT    NOT NULL,                -- '1366x768'; '' where nothing was rendered
    input    TEXT    NOT NULL,                -- original, dom or rendered
    method   TEXT    NOT NULL,
    version  TEXT    NOT NULL,                -- of the method
    params   TEXT    NOT NULL,                -- JSON
    ms       REAL,                            -- NULL where it did not run to an end
    unmapped INTEGER,                         -- words found that are not in the document
    UNIQUE (page, input, method, params)
);

CREATE TABLE scores (
    run       INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    place     INTEGER NOT NULL,               -- among the measures of the run
    measure   TEXT    NOT NULL,
    status    TEXT    NOT NULL,               -- ok, empty, failed, timed out or skipped
    reason    TEXT    NOT NULL,
    value     REAL,                           -- NULL where it is not defined
    precision REAL,
    recall    REAL,
    retrieved INTEGER,                        -- distinct texts, of measures that count them
    hits      INTEGER,
    relevant  INTEGER,
    if_empty  TEXT    NOT NULL DEFAULT '',    -- JSON [P, R, value]: what finding nothing would have
    PRIMARY KEY (run, place)
) WITHOUT ROWID;

PRAGMA user_version = 2;
