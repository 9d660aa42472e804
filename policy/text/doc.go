// Package text finds and replaces patterns in text that arrives in pieces, with
// exactly the result that the whole text would have given.
//
// A [Rule] is one step: patterns in Go's regexp syntax and their replacement. A [Chain] is several rules in
// order, compiled once and shared; the second rule sees what the first one wrote. A [Stream] is one text on
// its way through the chain:
//
//	chain, err := text.Compile(text.Rule{Name: "keys", Patterns: []string{`sk-\w{20,}`}, Replacement: "[key]"})
//	s := chain.NewStream(text.StreamOptions{})
//	for piece := range pieces {
//		if s.Write(piece) {
//			// the common case: all of it may leave unchanged
//		}
//		for _, p := range s.Pieces() { ... }
//	}
//	s.End()
//
// Where a pattern cannot say it all, [Rule.Replace] is asked about each match: it
// may leave it alone, or replace it by what depends on it.
//
// # What is held back, and for how long
//
// Text leaves at once where no pattern is under way. From the place where one
// is, text is held until the match is certain or impossible; a match is never
// split, and how the text was cut into pieces never shows in the result. Text
// that stays undecided for longer than [StreamOptions.Limit] overruns the
// stream: it and all that follows is withheld, and [Stream.Overrun] says so.
//
// # How it works
//
// One lazily built automaton over the patterns of all rules reads the text, at
// one table lookup for a byte. While it sees no match, nothing else happens.
// From the last place at which no pattern was under way before a match, the
// text goes through the exact finders, one for each rule, until all of them are
// at rest again. An exact finder follows all threads of its patterns at the
// same time, in the order in which Go's regexp prefers them. It does not wait
// for a match to be certain before it looks for the next one: it goes on behind
// every possible match, and forgets what it found there if a better match turns
// up. So no text is searched again and again, and time is linear in the length of
// the text for every pattern.
//
// # Bounds
//
// A stream holds at most the limit for each rule of its chain, and the
// automaton, which all streams of a chain share, is emptied when it has grown to
// a few megabytes. The caller's part is to take the pieces and the hits.
package text
