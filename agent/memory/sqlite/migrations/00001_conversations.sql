-- +goose Up

-- AUTOINCREMENT: the number of a conversation that is gone is never given again.
CREATE TABLE memory_conversations (
    number        INTEGER PRIMARY KEY AUTOINCREMENT,
    hash          BLOB    NOT NULL UNIQUE,
    id            BLOB    NOT NULL,
    version       INTEGER NOT NULL,
    next_position INTEGER NOT NULL,
    created_at    INTEGER NOT NULL, -- microseconds since 1970, UTC
    updated_at    INTEGER NOT NULL
) STRICT;

CREATE TABLE memory_messages (
    conversation INTEGER NOT NULL REFERENCES memory_conversations (number) ON DELETE CASCADE,
    position     INTEGER NOT NULL,
    message      BLOB    NOT NULL,
    created_at   INTEGER NOT NULL,
    PRIMARY KEY (conversation, position)
) STRICT;
