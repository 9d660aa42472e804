package invocation

import (
	"mvdan.cc/sh/v3/syntax"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/arena"
)

// Nodes are the nodes of quick trees.
type Nodes struct {
	Words    arena.Of[literalWord]
	Quoted   arena.Of[quotedWord]
	Doubled  arena.Of[doubledWord]
	Commands arena.Of[plainCommand]
	Joined   arena.Of[joinedCommand]
	Redirs   arena.Of[syntax.Redirect]
	Lists    arena.Of[*syntax.Redirect]
	Args     arena.Of[*syntax.Word]
	Stmts    arena.Of[*syntax.Stmt]
}

// Reset forgets all nodes, so that their memory is used again.
func (n *Nodes) Reset() {
	n.Words.Reset()
	n.Quoted.Reset()
	n.Doubled.Reset()
	n.Commands.Reset()
	n.Joined.Reset()
	n.Redirs.Reset()
	n.Lists.Reset()
	n.Args.Reset()
	n.Stmts.Reset()
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

// pieces are what each command needs some of. They last as long as their reader,
// apart from the texts of arguments, which the reading keeps.
type pieces struct {
	Args     arena.Of[Arg]
	Commands arena.Of[Command]
	Acts     arena.Of[Act]
	Nodes    Nodes
	Strings  arena.Of[string]
	Effects  []effect.Effect // none, with room for some
}

func (p *pieces) Reset() {
	p.Args.Reset()
	p.Commands.Reset()
	p.Acts.Reset()
	p.Nodes.Reset()
}
