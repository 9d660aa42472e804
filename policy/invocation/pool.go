package invocation

import (
	"mvdan.cc/sh/v3/syntax"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/slab"
)

// Nodes are the nodes of quick trees.
type Nodes struct {
	Words    slab.Slab[literalWord]
	Quoted   slab.Slab[quotedWord]
	Doubled  slab.Slab[doubledWord]
	Commands slab.Slab[plainCommand]
	Joined   slab.Slab[joinedCommand]
	Redirs   slab.Slab[syntax.Redirect]
	Lists    slab.Slab[*syntax.Redirect]
	Args     slab.Slab[*syntax.Word]
	Stmts    slab.Slab[*syntax.Stmt]
}

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
	Args     slab.Slab[Arg]
	texts    slab.Slab[Text]
	values   slab.Slab[Value]
	Commands slab.Slab[Command]
	Acts     slab.Slab[Act]
	scopes   slab.Slab[Scope]
	words    slab.Slab[string]
	Nodes    Nodes
	Strings  slab.Slab[string]
	Room     command.Room    // for readings by descriptions
	Effects  []effect.Effect // none, with room for some
}

func (p *pieces) Reset() {
	p.Args.Reset()
	p.texts.Reset()
	p.values.Reset()
	p.Commands.Reset()
	p.Acts.Reset()
	p.scopes.Reset()
	p.words.Reset()
	p.Nodes.Reset()
	p.Room.Reset()
}
