package invocation

import (
	"unsafe"

	"mvdan.cc/sh/v3/syntax"

	"github.com/sluice-project/sluice/policy/effect"
)

// Nodes are the nodes of quick trees.
type Nodes struct {
	Words    slab[literalWord]
	Quoted   slab[quotedWord]
	Doubled  slab[doubledWord]
	Commands slab[plainCommand]
	Joined   slab[joinedCommand]
	Redirs   slab[syntax.Redirect]
	Lists    slab[*syntax.Redirect]
	Args     slab[*syntax.Word]
	Stmts    slab[*syntax.Stmt]
}

func (n *Nodes) reset() {
	n.Words.reset()
	n.Quoted.reset()
	n.Doubled.reset()
	n.Commands.reset()
	n.Joined.reset()
	n.Redirs.reset()
	n.Lists.reset()
	n.Args.reset()
	n.Stmts.reset()
}

// The nodes that always come together.
type (
	literalWord struct {
		Word  syntax.Word
		Parts [1]syntax.WordPart
		Lit   syntax.Lit
	}
	quotedWord struct {
		Word  syntax.Word
		Parts [1]syntax.WordPart
		Text  syntax.SglQuoted
	}
	doubledWord struct {
		Word  syntax.Word
		Parts [1]syntax.WordPart
		Text  syntax.DblQuoted
		Inner [1]syntax.WordPart
		Lit   syntax.Lit
	}
	plainCommand struct {
		Stmt syntax.Stmt
		Call syntax.CallExpr
	}
	joinedCommand struct {
		Stmt   syntax.Stmt
		Binary syntax.BinaryCmd
	}
)

// slab hands out pieces of larger allocations, which grow with what is asked for:
// a text has many small commands.
type slab[T any] struct {
	all  []T
	used int
}

// MostSlab is how many bytes are allocated at once, if not more is asked for.
const MostSlab = 128 << 10

// most is how many values that are.
func (s *slab[T]) most() int {
	var one T
	return MostSlab / int(unsafe.Sizeof(one))
}

// Take returns n zero values.
func (s *slab[T]) Take(n int) []T {
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

// Room returns an empty list with room for n.
func (s *slab[T]) Room(n int) []T { return s.Take(n)[:0] }

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
	Args     slab[Arg]
	texts    slab[Text]
	values   slab[Value]
	Commands slab[Command]
	Acts     slab[Act]
	scopes   slab[Scope]
	words    slab[string]
	Nodes    Nodes
	Strings  slab[string]
	Effects  []effect.Effect // none, with room for some
}

func (p *pieces) Reset() {
	p.Args.reset()
	p.texts.reset()
	p.values.reset()
	p.Commands.reset()
	p.Acts.reset()
	p.scopes.reset()
	p.words.reset()
	p.Nodes.reset()
}
