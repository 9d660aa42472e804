// Package memory stores conversations and decides which of their messages to
// keep.
//
// # A conversation
//
// A [Memory] is a [Repository], which stores messages by the id of their
// conversation, and a [Window], which decides how many of them.
//
//	m, err := memory.New(memory.NewInMemory(), memory.Options{Window: memory.Messages(40)})
//	...
//	kept, err := m.Get(ctx, "chat-17")
//	answer := ask(append(kept.Messages, question))
//	_, err = m.Add(ctx, "chat-17", kept.Version, question, answer)
//
// There is no default conversation: every call names its own, and an empty id is
// [ErrNoConversation]. The package knows no users: the program has to check that
// an id belongs to the user who sent it.
//
// # What is kept
//
// What belongs together, such as the calls of a model with all their results,
// is added with one call, and kept or forgotten together. A window forgets the
// oldest turns, as a whole, and never the current one, so that no result is
// ever without its call; see [Window]. [Messages] and [Tokens] forget,
// [Summarise] has a model summarise what is forgotten, and [All] keeps
// everything.
//
// [Memory.Get] returns a history that every provider accepts, even if another
// program wrote it and was stopped in the middle; see [Close].
//
// # Concurrent turns
//
// A conversation has a version that changes with every write, and [Memory.Add]
// takes the version that it is based on. If somebody else has written since, it
// returns a [*ConflictError] and nothing is lost: load again and decide. Turns
// in one process can also wait for each other, with [Memory.Lock].
//
// # Where it is stored
//
// [InMemory] lasts as long as the process. The packages below this one store
// conversations in databases; importing this one pulls in none of them. To
// write another repository, use [Marshal] and [MarshalMessage], which preserve
// every byte, and the tests in package memorytest.
package memory
