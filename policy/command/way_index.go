package command

// wayIndex finds the ways to call a program's commands by their first word, so that what a
// command line costs does not grow with the number of commands.
type wayIndex struct {
	// entries are all ways, in the order of the commands.
	entries []calledBy
	// words has the entries whose ways begin with that word; other are those that begin with
	// a pattern, with any words, or with none.
	words map[string][]int
	other []int
}

type calledBy struct {
	command *Command
	way     way
}

// indexOf is the index of some commands.
func indexOf(commands []*Command) wayIndex {
	x := wayIndex{words: map[string][]int{}}
	for _, c := range commands {
		for _, w := range c.ways {
			n := len(x.entries)
			x.entries = append(x.entries, calledBy{c, w})
			if len(w) == 0 || !w[0].literal() {
				x.other = append(x.other, n)
				continue
			}
			for _, word := range w[0].words {
				if same := x.words[word]; len(same) == 0 || same[len(same)-1] != n {
					x.words[word] = append(same, n)
				}
			}
		}
	}
	return x
}

// begins reports whether a command is called by the word.
func (x *wayIndex) begins(word string) bool { return len(x.words[word]) > 0 }

// candidates yields the ways that operands may match, in the order of the commands.
func (x *wayIndex) candidates(operands []operand) func(yield func(*calledBy) bool) {
	return func(yield func(*calledBy) bool) {
		if len(operands) > 0 && operands[0].maybe { // it may be passed over
			for i := range x.entries {
				if !yield(&x.entries[i]) {
					return
				}
			}
			return
		}
		var named []int
		if len(operands) > 0 {
			named = x.words[operands[0].key]
		}
		other := x.other
		for len(named) > 0 || len(other) > 0 {
			from := &other
			if len(other) == 0 || len(named) > 0 && named[0] < other[0] {
				from = &named
			}
			n := (*from)[0]
			*from = (*from)[1:]
			if !yield(&x.entries[n]) {
				return
			}
		}
	}
}
