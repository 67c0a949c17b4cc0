-- Step 1: pages, their gold with every change of it, settings, runs and scores.
-- 'PGLT' in ASCII says that the file is a workspace.
PRAGMA application_id = 1346849876;

CREATE TABLE pages (
    id       INTEGER PRIMARY KEY,
    key      TEXT    NOT NULL UNIQUE,         -- address as shown or corpus id, and the variant
    place    INTEGER NOT NULL,                -- order in the list
    url      TEXT    NOT NULL,
    title    TEXT    NOT NULL DEFAULT '',
    digest   TEXT    NOT NULL DEFAULT '',     -- SHA-256 of the page as opened last
    width    INTEGER NOT NULL DEFAULT 0,      -- viewport, CSS px; 0 before the page was opened
    height   INTEGER NOT NULL DEFAULT 0,
    status   TEXT    NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'done', 'question')),
    note     TEXT    NOT NULL DEFAULT '',
    visited  TEXT    NOT NULL DEFAULT '',     -- UTC, ISO 8601; '' if never
    revision INTEGER NOT NULL DEFAULT 0       -- number of the last change of its gold
);

CREATE TABLE marks (
    page   INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    id     TEXT    NOT NULL,
    place  INTEGER NOT NULL,                  -- order in which marks were made
    record TEXT    NOT NULL,                  -- JSON: annotate.records.MarkRecord
    PRIMARY KEY (page, id)
) WITHOUT ROWID;

-- Nothing is ever deleted here: from its changes every state of a page's gold can be rebuilt.
CREATE TABLE changes (
    page     INTEGER NOT NULL REFERENCES pages (id),
    revision INTEGER NOT NULL,
    made     TEXT    NOT NULL,                -- UTC, ISO 8601
    what     TEXT    NOT NULL,                -- in the user's words: 'Mark header'
    step     TEXT    NOT NULL CHECK (step IN ('edit', 'undo', 'redo')),
    delta    TEXT    NOT NULL,                -- JSON: {"set": [record], "drop": [id], "order"?: [id]}
    PRIMARY KEY (page, revision)
) WITHOUT ROWID;

CREATE TABLE settings (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL                       -- JSON
) WITHOUT ROWID;

CREATE TABLE runs (
    id      INTEGER PRIMARY KEY,
    page    INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    revision INTEGER NOT NULL,                -- of the gold it was scored against
    made    TEXT    NOT NULL,
    method  TEXT    NOT NULL,
    input   TEXT    NOT NULL,                 -- original, dom or rendered
    params  TEXT    NOT NULL,                 -- JSON, keys sorted
    version TEXT    NOT NULL,                 -- of Pagelet
    seconds REAL    NOT NULL,
    status  TEXT    NOT NULL,                 -- ok, empty, failed or timeout
    error   TEXT    NOT NULL DEFAULT ''
);
CREATE INDEX runs_by_page ON runs (page, method, input);

CREATE TABLE scores (
    run       INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    measure   TEXT    NOT NULL,               -- with its variant: 'blocks-fuzzy/level 1'
    precision REAL    NOT NULL,
    recall    REAL    NOT NULL,
    f1        REAL    NOT NULL,
    PRIMARY KEY (run, measure)
) WITHOUT ROWID;

PRAGMA user_version = 1;
