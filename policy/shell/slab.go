package shell

// slab hands out pieces of larger allocations, which grow with what is asked for:
// a text has many small commands.
type slab[T any] struct {
	all  []T
	used int
}

// mostSlab is how much is allocated at once, if not more is asked for.
const mostSlab = 1024

// take returns n zero values.
func (s *slab[T]) take(n int) []T {
	if n == 0 {
		return []T{}
	}
	if n > len(s.all)-s.used {
		s.all, s.used = make([]T, max(n, min(2*len(s.all)+n, mostSlab))), 0
	}
	taken := s.all[s.used : s.used+n : s.used+n]
	s.used += n
	return taken
}

// reset takes back what was handed out. Nobody may have a piece of it.
func (s *slab[T]) reset() {
	if len(s.all) > mostSlab { // one that asked for much
		s.all = nil
	}
	clear(s.all[:min(s.used, len(s.all))])
	s.used = 0
}

// pieces are what each command needs some of. They last as long as their reader,
// apart from the texts of arguments, which the reading keeps.
type pieces struct {
	args     slab[arg]
	texts    slab[text]
	values   slab[value]
	commands slab[Command]
	acts     slab[act]
	nodes    nodes
	strings  slab[string]
}

func (p *pieces) reset() {
	p.args.reset()
	p.texts.reset()
	p.values.reset()
	p.commands.reset()
	p.acts.reset()
	p.nodes.reset()
}
