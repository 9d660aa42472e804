// Package tables keeps conversations in two tables of a [store.DB]: what the
// repositories on SQLite and PostgreSQL have in common. They bring the tables
// themselves (memory_conversations, memory_messages) and the statement that
// writes messages.
//
// A conversation is a row with its version and the next free position. A message
// is a row under the number of its conversation, at its position. Positions only
// order messages: there may be gaps. A conversation is found by the SHA-256 of
// its id, because an index refuses long ids, and the id itself is kept as bytes,
// because text cannot hold all of them.
//
// The version of a conversation starts with the number of its row and counts
// from there. No row has the number of an earlier one, so a conversation that is
// forgotten and begun anew never comes to a version that it had before.
package tables
