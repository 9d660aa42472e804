// Package flow says what a conversation has seen and done before a call: whether
// it read what others wrote, whether it read what is private, what it wrote to
// files and from what, whether an argument was copied from what others wrote, and
// whether it holds a value of what is private.
//
// [Of] returns the [Past] of a block that is judged. It is read from the messages
// of the request, from those before it that the host remembers
// ([policy.Exchange.Earlier]), and from the blocks of the same answer before the
// one that is judged. Nothing is read before somebody asks, and what the blocks
// of an answer share is read once.
//
// # Doubt
//
// Where a part of the history is missing, [Past.Known] is false, and the
// conversation counts as one that has seen what others wrote and has read what is
// private: nobody can say that it has not. Tools that are not known count as ones
// that return what others wrote. Calls count even if they failed.
//
// # Bounds
//
// Everything takes time in proportion to the history and stops at fixed amounts
// of files, bytes and sources, which the constants of this package say.
//
// [Suspicious] is apart from all that: it looks at one text for the marks of
// somebody who wants to give orders to a model.
package flow
