// Package tables stores conversations in two tables of a [store.DB]: it is the
// common part of the repositories on SQLite and PostgreSQL. They supply the
// tables themselves (memory_conversations, memory_messages) and the statement
// that inserts messages.
//
// A conversation is a row with its version and the next free position. A message
// is a row with the number of its conversation and its position. Positions only
// order messages: there may be gaps. A conversation is looked up by the SHA-256
// of its id, because an index rejects long ids, and the id itself is stored as
// bytes, because a text column cannot hold every id.
//
// The version of a conversation starts with the number of its row and counts
// from there. Row numbers are never reused, so a conversation that is deleted
// and recreated never reuses a version.
package tables
