// Package memory remembers conversations: which messages are kept of one, and
// where.
//
// # A conversation
//
// A [Memory] is a [Repository], which keeps messages by the id of their
// conversation, and a [Window], which decides how many of them.
//
//	m, err := memory.New(memory.NewInMemory(), memory.Options{Window: memory.Messages(40)})
//	...
//	kept, err := m.Get(ctx, "chat-17")
//	answer := ask(append(kept.Messages, question))
//	_, err = m.Add(ctx, "chat-17", kept.Version, question, answer)
//
// There is no default conversation: every call names its own, and an empty id is
// [ErrNoConversation]. The package takes no id on trust from a user and knows no
// users; whose conversation it is has to be decided by the program.
//
// # What is kept
//
// Whatever belongs together is added with one call, the calls of a model with
// all their results, and is kept or forgotten together. A window forgets the
// oldest turns, whole, and never the current one, so that no result ever stands
// without its call; see [Window]. [Messages] and [Tokens] forget, [Summarise]
// lets a model write down what is forgotten, and [All] keeps everything.
//
// What comes back from [Memory.Get] is a history that every provider accepts,
// even if another program wrote it and was stopped in the middle; see [Close].
//
// # Two turns at once
//
// A conversation has a version that changes with every write, and an
// [Memory.Add] says at which version it was begun. If somebody else has written
// since, it is a [*ConflictError] and nothing is lost: load and decide. Turns of
// one process can also wait for each other, with [Memory.Lock].
//
// # Where it is kept
//
// [InMemory] lasts as long as the program. The packages below this one keep
// conversations in databases; importing this one pulls in none of them. Whoever
// writes another repository finds the form of messages in [Marshal] and
// [MarshalMessage], which keep every byte, and its tests in package memorytest.
package memory
