package main

import "context"

// contender is an agent loop.
type contender struct {
	name string
	what string
	// shows is true if the text of all rounds is streamed, and not only that of
	// the last answer.
	shows bool
	// prepare creates an agent for a script, with everything that can be created
	// before the first question. The tool passes its arguments to called, if that
	// is not nil: JSON as a string, or decoded.
	prepare func(ctx context.Context, s *script, called func(arguments any)) (loop, error)
}

// loop is an agent that is asked again and again. Each function asks the question
// and waits for the end.
type loop struct {
	// call returns the answer of a model that answers in one piece, collect that
	// of one that answers in pieces; stream yields the pieces as they arrive.
	call    func() (string, error)
	collect func() (string, error)
	stream  func(take func(piece string)) error
	// bareCall and bareStream ask the same models as often, with prepared
	// histories, read their answers to the ends, and call the same tool.
	bareCall   func() error
	bareStream func() error
}

// The names of the contenders.
const (
	nameSluice = "sluice"
	nameEino   = "eino"
	nameGenkit = "genkit"
)

func contenders() []contender {
	return []contender{
		{nameSluice, "agent.Client, its events", true, prepareSluice},
		{nameEino, "flow/agent/react", false, prepareEino},
		{nameGenkit, "genkit.Generate with tools", true, prepareGenkit},
	}
}
