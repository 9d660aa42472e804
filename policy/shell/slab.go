package shell

import (
	"unsafe"

	"github.com/sluice-project/sluice/policy/effect"
)

// slab hands out pieces of larger allocations, which grow with what is asked for:
// a text has many small commands.
type slab[T any] struct {
	all  []T
	used int
}

// mostSlab is how many bytes are allocated at once, if not more is asked for.
const mostSlab = 128 << 10

// most is how many values that are.
func (s *slab[T]) most() int {
	var one T
	return mostSlab / int(unsafe.Sizeof(one))
}

// take returns n zero values.
func (s *slab[T]) take(n int) []T {
	if n == 0 {
		return []T{}
	}
	if n > len(s.all)-s.used {
		s.all, s.used = make([]T, max(n, min(2*len(s.all)+n, s.most()))), 0
	}
	taken := s.all[s.used : s.used+n : s.used+n]
	s.used += n
	return taken
}

// room returns an empty list with room for n.
func (s *slab[T]) room(n int) []T { return s.take(n)[:0] }

// reset takes back what was handed out. Nobody may have a piece of it.
func (s *slab[T]) reset() {
	if s.used > 0 {
		s.empty()
	}
}

func (s *slab[T]) empty() {
	if len(s.all) > s.most() { // one that asked for much
		s.all, s.used = nil, 0
	}
	clear(s.all[:s.used])
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
	scopes   slab[scope]
	words    slab[string]
	options  slab[option]
	givens   slab[given]
	nodes    nodes
	strings  slab[string]
	effects  []effect.Effect // none, with room for some
}

func (p *pieces) reset() {
	p.args.reset()
	p.texts.reset()
	p.values.reset()
	p.commands.reset()
	p.acts.reset()
	p.scopes.reset()
	p.words.reset()
	p.options.reset()
	p.givens.reset()
	p.nodes.reset()
}
