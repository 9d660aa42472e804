-- +goose Up

CREATE TABLE memory_conversations (
    number        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    hash          BYTEA  NOT NULL UNIQUE,
    id            BYTEA  NOT NULL,
    version       BIGINT NOT NULL,
    next_position BIGINT NOT NULL,
    created_at    BIGINT NOT NULL, -- microseconds since 1970, UTC
    updated_at    BIGINT NOT NULL
);

CREATE TABLE memory_messages (
    conversation BIGINT NOT NULL REFERENCES memory_conversations (number) ON DELETE CASCADE,
    position     BIGINT NOT NULL,
    message      BYTEA  NOT NULL,
    created_at   BIGINT NOT NULL,
    PRIMARY KEY (conversation, position)
);
