package shell

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"

	"github.com/sluice-project/sluice/policy/command/guard"
	"github.com/sluice-project/sluice/policy/command/hook/fileops"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// stmts reads statements, one after the other, and returns what they print.
func (r *reader) stmts(list []*syntax.Stmt, in *invocation.Flow) invocation.Flow {
	var out invocation.Flow
	for _, s := range list {
		if r.Full {
			return invocation.Flow{Piped: true}
		}
		sure := len(r.Verified)
		out.And(r.stmt(s, in))
		fileops.DoubtAgain(&r.Reader, sure)
	}
	return out
}

// stmt reads one statement.
func (r *reader) stmt(s *syntax.Stmt, in *invocation.Flow) invocation.Flow {
	if s == nil || !r.Pay(invocation.StatementSteps) {
		return invocation.Flow{Piped: true}
	}
	if s.Background || s.Coprocess || s.Disown {
		r.Forks++
		defer func() { r.Forks-- }()
	}
	to := redirects{number: len(r.Reading.Commands)}
	if len(s.Redirs) > 0 {
		own := *in
		in = &own
		r.redirections(s.Redirs, in, &to)
	}
	if s.Negated {
		defer fileops.DoubtAgain(&r.Reader, len(r.Verified))
	}
	var out invocation.Flow
	if call, ok := s.Cmd.(*syntax.CallExpr); ok {
		out = r.simple(call, r.command(s), in, &to)
	} else if s.Cmd == nil && len(to.reads) > 0 && len(to.writes) == 0 {
		to.number = -1
		out = *in // $(< file)
	} else {
		first := len(r.Reading.Commands)
		out = r.compound(s.Cmd, in)
		if first < len(r.Reading.Commands) {
			to.number = first
		} else {
			to.number = -1
		}
	}
	if len(to.reads)+len(to.writes)+len(to.given) > 0 {
		return r.redirected(&to, out)
	}
	return out
}

// written is the source of a node.
func (r *reader) written(n syntax.Node) string {
	start, end := int(n.Pos().Offset()), int(n.End().Offset())
	if start > end || end > len(r.Src) {
		return ""
	}
	return r.Src[start:end]
}

// command is the source of a command without what ends it.
func (r *reader) command(s *syntax.Stmt) string {
	written := r.written(s)
	if s.Semicolon.IsValid() {
		if n := int(s.Semicolon.Offset()) - int(s.Pos().Offset()); n >= 0 && n <= len(written) {
			written = written[:n]
		}
	}
	end := len(written)
	for end > 0 && (written[end-1] == ' ' || written[end-1] == '\t' || written[end-1] == '\n') {
		end--
	}
	return written[:end]
}

// compound reads what is no simple command.
func (r *reader) compound(c syntax.Command, in *invocation.Flow) invocation.Flow {
	switch c := c.(type) {
	case nil: // only redirections
		return invocation.Flow{}
	case *syntax.BinaryCmd:
		return r.binary(c, in)
	case *syntax.Block:
		return r.stmts(c.Stmts, in)
	case *syntax.Subshell:
		return r.subshell(func() invocation.Flow { return r.stmts(c.Stmts, in) })
	case *syntax.IfClause:
		var out invocation.Flow
		for ; c != nil; c = c.Else {
			out.And(r.stmts(c.Cond, in))
			then := c.Then
			out.And(r.branch(func() invocation.Flow { return r.stmts(then, in) }))
		}
		return out
	case *syntax.WhileClause:
		r.stmts(c.Cond, in)
		if isEndless(c) {
			r.startsEndlessly(c.Do)
		}
		return r.branch(func() invocation.Flow { return r.stmts(c.Do, in) })
	case *syntax.ForClause:
		return r.loop(c, in)
	case *syntax.CaseClause:
		r.value(c.Word)
		var out invocation.Flow
		for _, item := range c.Items {
			for _, pattern := range item.Patterns {
				if !isPlain(pattern) {
					r.value(pattern)
				}
			}
			out.And(r.branch(func() invocation.Flow { return r.stmts(item.Stmts, in) }))
		}
		return out
	case *syntax.FuncDecl:
		r.declare(c)
	case *syntax.DeclClause:
		return r.declared(c)
	case *syntax.TimeClause:
		return r.stmt(c.Stmt, in)
	case *syntax.CoprocClause:
		return r.coprocess(c, in)
	default: // tests and arithmetic: what is run inside them counts
		r.arithmetic(c)
	}
	return invocation.Flow{}
}

// binary reads a && b, a || b and pipes.
func (r *reader) binary(c *syntax.BinaryCmd, in *invocation.Flow) invocation.Flow {
	switch c.Op {
	case syntax.AndStmt:
		out := r.stmt(c.X, in)
		out.And(r.stmt(c.Y, in))
		return out
	case syntax.OrStmt:
		sure := len(r.Verified)
		defer fileops.DoubtAgain(&r.Reader, sure)
		out := r.stmt(c.X, in)
		fileops.DoubtAgain(&r.Reader, sure)
		out.Or(r.branch(func() invocation.Flow { return r.stmt(c.Y, in) }))
		return out
	default: // pipes
	}
	r.Forks++
	defer func() { r.Forks-- }()
	sure := len(r.Verified)
	out := r.subshell(func() invocation.Flow { return r.stmt(c.X, in) })
	out.Piped = true
	fileops.DoubtAgain(&r.Reader, sure)
	// The last one of a pipe runs in the shell itself in some shells.
	return r.stmt(c.Y, &out)
}

// loop reads for and select.
func (r *reader) loop(c *syntax.ForClause, in *invocation.Flow) invocation.Flow {
	switch l := c.Loop.(type) {
	case *syntax.WordIter:
		name := l.Name.Value
		items := invocation.Value{}
		if !l.InPos.IsValid() {
			items = r.parameters("$@")
		}
		for _, w := range l.Items {
			for _, e := range r.word(w) {
				items.Taint(&e.value)
				for _, fields := range e.alts {
					for _, f := range fields {
						items.Texts = append(items.Texts, invocation.Text{As: f.As, Bare: f.As}) // the body runs for what there is
					}
				}
			}
		}
		if len(items.Texts) > invocation.MostTexts {
			items.Texts = append(items.Texts[:invocation.MostTexts:invocation.MostTexts], invocation.Text{As: "$" + name, Bare: "$" + name})
			r.Mark(invocation.Variable)
		}
		if len(items.Texts) == 0 {
			items.Texts = follow.Firm("$" + name).Texts
		}
		if items.About == invocation.EveryProcess && slices.ContainsFunc(c.Do, isConditional) { // those that it picks
			items.About = ""
		}
		outer := r.Scope.Maybe
		r.Scope.Maybe = 0
		r.Scope.Set(name, items)
		r.Scope.Maybe = outer
		if guard.IsEnvironmentName(name) { // one that is exported stays so
			r.Effect(effect.Effect{Verb: effect.SetVariable, Object: name, How: "loop", Command: -1})
		}
	case *syntax.CStyleLoop:
		r.arithmetic(l.Init)
		r.arithmetic(l.Cond)
		r.arithmetic(l.Post)
		if l.Cond == nil {
			r.startsEndlessly(c.Do)
		}
	}
	return r.branch(func() invocation.Flow { return r.stmts(c.Do, in) })
}

// substitutions runs the commands in a node that is none itself.
func (r *reader) substitutions(n syntax.Node) {
	if n == nil {
		return
	}
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			if p, ok := n.(syntax.WordPart); ok {
				r.part(p)
			}
			return false
		case *syntax.Word:
			r.value(n)
			return false
		}
		return !r.Full
	})
}

// declare takes a function.
func (r *reader) declare(c *syntax.FuncDecl) {
	names := c.Names
	if c.Name != nil {
		names = append(names, c.Name)
	}
	if r.Scope.Funcs == nil {
		r.Scope.Funcs = map[string]invocation.Function{}
	}
	for _, name := range names {
		if len(r.Scope.Funcs) < invocation.MostNames {
			r.Scope.Funcs[name.Value] = invocation.Function{Body: c.Body, Src: r.Src}
		} else {
			r.Mark(invocation.Many)
		}
	}
	if len(names) == 0 {
		r.stmt(c.Body, &invocation.Flow{})
	}
}

// call runs a function.
func (r *reader) call(name string, f invocation.Function, args []invocation.Arg, in *invocation.Flow, unused bool) invocation.Flow {
	if slices.Contains(r.Bodies, f.Body) { // by its body, as a function may make another one of its name
		if r.Forks > 0 {
			r.Effect(effect.Effect{Verb: effect.Exhaust, Object: "processes", How: name, Command: -1})
		}
		return invocation.Flow{Piped: true}
	}
	if len(r.Active) >= invocation.MaxDepth {
		r.Mark(invocation.Nesting)
		return invocation.Flow{Piped: true}
	}
	f.Called = true
	r.Scope.Funcs[name] = f
	params, src := r.Scope.Params, r.Src
	r.Scope.Params = nil
	if !unused {
		r.Scope.Params = make([]invocation.Value, len(args))
		for i := range args {
			r.Scope.Params[i] = args[i].Value()
		}
	}
	r.Src = f.Src
	r.Active, r.Bodies = append(r.Active, name), append(r.Bodies, f.Body)
	locals := len(r.Locals)
	out := r.stmt(f.Body, in)
	r.Active, r.Bodies = r.Active[:len(r.Active)-1], r.Bodies[:len(r.Bodies)-1]
	for _, l := range slices.Backward(r.Locals[locals:]) { // what was local has its old value again
		if l.Set {
			r.Scope.Vars[l.Name] = l.Value
		} else {
			delete(r.Scope.Vars, l.Name)
		}
	}
	r.Locals = r.Locals[:locals]
	r.Scope.Params, r.Src = params, src
	return out
}
