package flow

import "strconv"

// Source is where something in a conversation came from.
type Source struct {
	// Tool is the tool that brought it, as the model called it; empty if it is
	// not known.
	Tool string
	// Object is the address, file or command that it came from, as far as it is
	// known.
	Object string
	// Message is the number of the message, counted from 0 over all that is
	// known of the conversation; -1 for the answer that is judged, and where
	// there is no message.
	Message int
	// Why says in a few words what it is.
	Why string
}

// String is the source for people.
func (s Source) String() string {
	text := s.Why
	if s.Tool != "" {
		text += " by " + brief(s.Tool)
	}
	if s.Object != "" {
		text += " (" + brief(s.Object) + ")"
	}
	if s.Message >= 0 {
		text += " in message " + strconv.Itoa(s.Message)
	}
	return text
}

// mostShown is how much of a text of the conversation is shown to people.
const mostShown = 200

func brief(text string) string {
	if len(text) > mostShown {
		return text[:mostShown] + "…"
	}
	return text
}

// sources are the sources of one sort, of which the first ones are kept.
type sources []Source

// MaxSources is how many sources of one sort are kept.
const MaxSources = 100

func (all *sources) add(s Source) {
	if len(*all) < MaxSources {
		*all = append(*all, s)
	}
}
