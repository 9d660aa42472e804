package shell

// mostPlain is the longest text that is looked at for being nothing but words.
const mostPlain = 512

// plainWords are the words of the text at hand, if it is the outermost and one command
// in which everything stands for itself, as many short ones are: no syntax is needed
// to read it.
func (r *reader) plainWords() ([]arg, bool) {
	src := r.src
	if r.depth > 1 || src == "" || len(src) > mostPlain {
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
	args := r.args.take(n)
	for i, from := 0, 0; i < n; i++ {
		end := from
		for end < len(src) && src[end] != ' ' {
			end++
		}
		args[i].as, args[i].bare = src[from:end], src[from:end]
		from = end + 1
	}
	return args, !isReserved(args[0].as)
}

// plainly reads the text at hand, which is a command of these words. Nothing is around
// it that could have to do with it.
func (r *reader) plainly(args []arg, in *flow) flow {
	r.units = max(0, r.units-len(args))
	if r.parsed = 1; !r.pay(statementSteps) {
		return flow{piped: true}
	}
	c := &r.commands.take(1)[0]
	c.Text = r.src
	return r.run(args, c, in, r.from.guess)
}
