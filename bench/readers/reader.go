package readers

import (
	"context"

	"github.com/sluice-project/sluice/wire"
)

// Answer is what a provider sent, or Sluice instead.
type Answer struct {
	Dialect wire.Format `json:"dialect"`
	// Stream says that the body is an event stream and not one JSON document.
	Stream bool `json:"stream"`
	// Status is that of HTTP; 0 means 200.
	Status int    `json:"status,omitempty"`
	Body   []byte `json:"body"`
}

// Call is a call that a program on the library would act on.
type Call struct {
	// Name is the tool's. A call of a type without names, such as shell_call, has
	// the type in its place, or the name that the library gives it.
	Name string `json:"name"`
	// Arguments are the text that the library hands out; if it hands out parsed
	// arguments, their JSON.
	Arguments string `json:"arguments"`
	// ID is empty if the library does not report it. Some libraries invent one.
	ID string `json:"id"`
	// Via names the way of reading, and the place in it where the call was found.
	Via string `json:"via"`
}

// Reading is what a reader made of an answer.
type Reading struct {
	// Calls are in the order in which they were returned, separately for each place.
	Calls []Call `json:"calls"`
	// Error has a line for each way of reading that failed; it is empty if none did.
	Error string `json:"error"`
}

// Reader is a client that reads answers. It is not safe for concurrent use.
type Reader interface {
	Name() string
	// Dialects are the formats that the reader reads, streamed and whole.
	Dialects() []wire.Format
	// Read returns a reading for each answer, in their order. An error says that
	// the reader itself is broken, and that it can be used no more; how a library
	// fails on an answer is in the reading.
	Read(ctx context.Context, answers []Answer) ([]Reading, error)
	// Close ends the reader and waits for it.
	Close() error
}
