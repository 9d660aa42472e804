package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/invocation"
)

// mostPlain is the longest text that is looked at for being nothing but words.
const mostPlain = 512

// plainWords are the words of the text at hand, if it is the outermost and one command
// in which everything stands for itself, as many short ones are: no syntax is needed
// to read it.
func (r *reader) plainWords() ([]invocation.Arg, bool) {
	src := r.Src
	if r.Depth > 1 || src == "" || len(src) > mostPlain {
		return nil, false
	}
	n, before := 1, byte(' ')
	for i := range len(src) {
		c := src[i]
		switch {
		case c == ' ' && before != ' ':
			n++
		case c == ' ' || signs[c]&inFirst == 0:
			return nil, false
		}
		before = c
	}
	if before == ' ' {
		return nil, false
	}
	args := r.Args.Take(n)
	for i, from := 0, 0; i < n; i++ {
		end := from
		for end < len(src) && src[end] != ' ' {
			end++
		}
		args[i].As, args[i].Bare, args[i].Wild = src[from:end], src[from:end], strings.ContainsAny(src[from:end], "*?[")
		from = end + 1
	}
	return args, !isReserved(args[0].As)
}

// plainly reads the text at hand, which is a command of these words. Nothing is around
// it that could have to do with it.
func (r *reader) plainly(args []invocation.Arg, in *invocation.Flow) invocation.Flow {
	r.Units = max(0, r.Units-len(args))
	if r.Parsed = 1; !r.Pay(invocation.StatementSteps) {
		return invocation.Flow{Piped: true}
	}
	c := &r.Commands.Take(1)[0]
	c.Text = r.Src
	return r.run(args, c, in, r.From.Guess)
}
