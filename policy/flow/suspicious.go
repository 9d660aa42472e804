package flow

import (
	"slices"
	"strings"
)

// The reasons of Suspicious.
const (
	// HiddenText: characters that nobody sees and models read.
	HiddenText = "hidden characters"
	// ReversedText: characters that show a text in another order.
	ReversedText = "characters that reverse the text"
	// ConcealedText: terminal codes that make a text invisible.
	ConcealedText = "terminal codes that hide text"
	// HiddenOrder: an order to a model in a comment, or in a part of a page that
	// is not shown.
	HiddenOrder = "an order in a hidden part of the text"
	// Order: somebody speaks to the model over the user's head, and wants
	// something done or kept secret.
	Order = "an order to the model"
	// FakeCall: the text of a message or a call of a tool, as if it were one.
	FakeCall = "the markup of a message or a tool call"
	// TooMuch: there is so much that looks like it that nobody looked at all.
	TooMuch = "more that looks like orders than can be looked at"
)

// Suspicious lists the marks in a text that somebody wants to give orders to a
// model by it, each once. It is meant for what tools return, and leans to
// silence: phrases count only together with something to be done or kept from
// the user, and not where they are quoted, so that programs and documents about
// such attacks pass. It is no proof that a text without marks is harmless. It
// takes time in proportion to the text.
func Suspicious(text string) []string {
	s := suspicion{text: text}
	s.look()
	return s.reasons
}

// suspicion is what was found in a text so far.
type suspicion struct {
	text    string
	reasons []string
	// unseen and tags count characters that cannot be seen, in a run.
	unseen, tags int
	looked       int
	// last is where a phrase of each sense stood last, if one was seen.
	last [3]int
	seen [3]bool
}

func (s *suspicion) because(reason string) {
	if !slices.Contains(s.reasons, reason) {
		s.reasons = append(s.reasons, reason)
	}
}

// mostLooked is how many places of a text are looked at closely.
const mostLooked = 8192

// look goes through the text once.
func (s *suspicion) look() {
	word := false // whether the byte before is a part of a word
	for i := 0; i < len(s.text); {
		c := s.text[i]
		if c >= 0x80 {
			i += s.character(i)
			word = true
			continue
		}
		s.unseen, s.tags = 0, 0
		switch letter := 'a' <= c|0x20 && c|0x20 <= 'z'; {
		case letter && !word && mayBegin(s.text[i:]):
			s.phrase(i)
		case c == '<', c == '[':
			s.markup(i)
		case c == 0x1b:
			s.terminal(i)
		}
		word = 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '_'
		i++
	}
}

// near is how far apart phrases may be that belong together.
const near = 500

// note remembers a phrase and reports an order where another sort of phrase is
// near.
func (s *suspicion) note(what sense, at int) {
	s.last[what], s.seen[what] = at, true
	other := false
	for sort := range s.seen {
		other = other || sense(sort) != what && s.seen[sort] && at-s.last[sort] <= near
	}
	if other || what != hides && s.actsNear(at) || what == hides && s.leaksNear(at) {
		s.because(Order)
	}
}

// actsNear reports whether something is to be done near a place.
func (s *suspicion) actsNear(at int) bool {
	return acts.MatchString(strings.ToLower(s.text[at:min(len(s.text), at+near)]))
}

// leaksNear reports whether the user is not to be told of something near a place
// that sends, runs or reads what matters.
func (s *suspicion) leaksNear(at int) bool {
	around := strings.ToLower(s.text[max(0, at-near/2):min(len(s.text), at+near/2)])
	return untold.MatchString(single(s.text[at:min(len(s.text), at+phraseBytes)])) && leaks.MatchString(around)
}

// character looks at a character beyond ASCII and returns its length.
func (s *suspicion) character(i int) int {
	r, n := decode(s.text[i:])
	switch {
	case r >= 0xe0000 && r <= 0xe007f:
		// Flags of regions are made of these too, after a black flag.
		if s.tags++; s.tags == mostTags && !strings.HasSuffix(s.text[:i-(mostTags-1)*n], "\U0001F3F4") {
			s.because(HiddenText)
		}
		return n
	case r == 0x202d, r == 0x202e:
		s.because(ReversedText)
	case isInvisible(r):
		if s.unseen++; s.unseen == mostUnseen {
			s.because(HiddenText)
		}
		return n
	}
	s.unseen, s.tags = 0, 0
	return n
}

// How many characters that cannot be seen may follow each other: joined emoji and
// some scripts need a few.
const (
	mostTags   = 4
	mostUnseen = 8
)
