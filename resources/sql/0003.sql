-- Step 3: several annotators in one file.  A row of `pages` is now one annotator's sheet of a page:
-- marks, changes, status and runs hang on it as before.
CREATE TABLE annotators (
    id   INTEGER PRIMARY KEY,
    uid  TEXT NOT NULL UNIQUE,                -- tells who is who when files are merged
    name TEXT NOT NULL UNIQUE,                -- '' until one is given
    role TEXT NOT NULL DEFAULT 'annotator' CHECK (role IN ('annotator', 'reviewer'))
);
INSERT INTO annotators (id, uid, name) VALUES (1, lower(hex(randomblob(16))), '');

CREATE TABLE sheets (
    id        INTEGER PRIMARY KEY,
    annotator INTEGER NOT NULL DEFAULT 1 REFERENCES annotators (id),
    key       TEXT    NOT NULL,               -- address as shown or corpus id, and the variant
    place     INTEGER NOT NULL,               -- order in the list
    url       TEXT    NOT NULL,
    title     TEXT    NOT NULL DEFAULT '',
    digest    TEXT    NOT NULL DEFAULT '',    -- SHA-256 of the page as opened last
    width     INTEGER NOT NULL DEFAULT 0,     -- viewport, CSS px; 0 before the page was opened
    height    INTEGER NOT NULL DEFAULT 0,
    status    TEXT    NOT NULL DEFAULT 'open'
              CHECK (status IN ('open', 'in progress', 'done', 'question')),
    visited   TEXT    NOT NULL DEFAULT '',    -- UTC, ISO 8601; '' if never
    revision  INTEGER NOT NULL DEFAULT 0,     -- number of the last change of its gold
    UNIQUE (annotator, key)
);
INSERT INTO sheets (id, key, place, url, title, digest, width, height, status, visited, revision)
SELECT id, key, place, url, title, digest, width, height,
    iif(status = 'open' AND revision > 0, 'in progress', status), visited, revision
FROM pages;
-- Foreign keys are off while steps are taken: what refers to `pages` stays.
DROP TABLE pages;
ALTER TABLE sheets RENAME TO pages;

-- What annotators and reviewers say to each other; answers stand below what they answer.
CREATE TABLE comments (
    id       TEXT    PRIMARY KEY,             -- the same in every file
    page     INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    mark     TEXT    NOT NULL,                -- id of the mark it is on; '' for the page
    author   INTEGER NOT NULL REFERENCES annotators (id),
    made     TEXT    NOT NULL,                -- UTC, ISO 8601
    kind     TEXT    NOT NULL CHECK (kind IN ('comment', 'question', 'answer')),
    text     TEXT    NOT NULL,
    answers  TEXT    NOT NULL DEFAULT '',     -- id of the comment it answers
    settled  INTEGER NOT NULL DEFAULT 0       -- of a question: nobody waits for an answer any more
) WITHOUT ROWID;
CREATE INDEX comments_by_page ON comments (page);

-- Who is to mark which page.
CREATE TABLE assignments (
    annotator INTEGER NOT NULL REFERENCES annotators (id),
    key       TEXT    NOT NULL,
    place     INTEGER NOT NULL,               -- order in which they are to be done
    control   INTEGER NOT NULL DEFAULT 0,     -- 1: its gold is known, which is not shown
    PRIMARY KEY (annotator, key)
) WITHOUT ROWID;

-- What a reviewer decided where neither side is taken; the other decisions are marks.
CREATE TABLE decisions (
    page   INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    item   TEXT    NOT NULL,                  -- ids of the marks that differ
    choice TEXT    NOT NULL,
    PRIMARY KEY (page, item)
) WITHOUT ROWID;

PRAGMA user_version = 3;
