package shell

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"

	"github.com/sluice-project/sluice/policy/effect"
)

// stmts reads statements, one after the other, and returns what they print.
func (r *reader) stmts(list []*syntax.Stmt, in *flow) flow {
	var out flow
	for _, s := range list {
		if r.full {
			return flow{piped: true}
		}
		sure := len(r.verified)
		out.and(r.stmt(s, in))
		r.doubtAgain(sure)
	}
	return out
}

// stmt reads one statement.
func (r *reader) stmt(s *syntax.Stmt, in *flow) flow {
	if s == nil || !r.pay(statementSteps) {
		return flow{piped: true}
	}
	if s.Background || s.Coprocess || s.Disown {
		r.forks++
		defer func() { r.forks-- }()
	}
	to := redirects{number: len(r.reading.Commands)}
	if len(s.Redirs) > 0 {
		own := *in
		in = &own
		r.redirections(s.Redirs, in, &to)
	}
	if s.Negated {
		defer r.doubtAgain(len(r.verified))
	}
	var out flow
	if call, ok := s.Cmd.(*syntax.CallExpr); ok {
		out = r.simple(call, r.command(s), in, &to)
	} else if s.Cmd == nil && len(to.reads) > 0 && len(to.writes) == 0 {
		to.number = -1
		out = *in // $(< file)
	} else {
		first := len(r.reading.Commands)
		out = r.compound(s.Cmd, in)
		if first < len(r.reading.Commands) {
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
	if start > end || end > len(r.src) {
		return ""
	}
	return r.src[start:end]
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
func (r *reader) compound(c syntax.Command, in *flow) flow {
	switch c := c.(type) {
	case nil: // only redirections
		return flow{}
	case *syntax.BinaryCmd:
		return r.binary(c, in)
	case *syntax.Block:
		return r.stmts(c.Stmts, in)
	case *syntax.Subshell:
		return r.subshell(func() flow { return r.stmts(c.Stmts, in) })
	case *syntax.IfClause:
		var out flow
		for ; c != nil; c = c.Else {
			out.and(r.stmts(c.Cond, in))
			then := c.Then
			out.and(r.branch(func() flow { return r.stmts(then, in) }))
		}
		return out
	case *syntax.WhileClause:
		r.stmts(c.Cond, in)
		return r.branch(func() flow { return r.stmts(c.Do, in) })
	case *syntax.ForClause:
		return r.loop(c, in)
	case *syntax.CaseClause:
		r.value(c.Word)
		var out flow
		for _, item := range c.Items {
			for _, pattern := range item.Patterns {
				if !isPlain(pattern) {
					r.value(pattern)
				}
			}
			out.and(r.branch(func() flow { return r.stmts(item.Stmts, in) }))
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
	return flow{}
}

// binary reads a && b, a || b and pipes.
func (r *reader) binary(c *syntax.BinaryCmd, in *flow) flow {
	switch c.Op {
	case syntax.AndStmt:
		out := r.stmt(c.X, in)
		out.and(r.stmt(c.Y, in))
		return out
	case syntax.OrStmt:
		sure := len(r.verified)
		defer r.doubtAgain(sure)
		out := r.stmt(c.X, in)
		r.doubtAgain(sure)
		out.or(r.branch(func() flow { return r.stmt(c.Y, in) }))
		return out
	default: // pipes
	}
	r.forks++
	defer func() { r.forks-- }()
	sure := len(r.verified)
	out := r.subshell(func() flow { return r.stmt(c.X, in) })
	out.piped = true
	r.doubtAgain(sure)
	// The last one of a pipe runs in the shell itself in some shells.
	return r.stmt(c.Y, &out)
}

// loop reads for and select.
func (r *reader) loop(c *syntax.ForClause, in *flow) flow {
	switch l := c.Loop.(type) {
	case *syntax.WordIter:
		name := l.Name.Value
		items := value{}
		if !l.InPos.IsValid() {
			items = r.parameters("$@")
		}
		for _, w := range l.Items {
			for _, e := range r.word(w) {
				items.taint(&e.value)
				for _, fields := range e.alts {
					for _, f := range fields {
						items.texts = append(items.texts, text{f.as, f.as}) // the body runs for what there is
					}
				}
			}
		}
		if len(items.texts) > mostTexts {
			items.texts = append(items.texts[:mostTexts:mostTexts], text{"$" + name, "$" + name})
			r.mark(Variable)
		}
		if len(items.texts) == 0 {
			items.texts = firm("$" + name).texts
		}
		outer := r.scope.maybe
		r.scope.maybe = 0
		r.scope.set(name, items)
		r.scope.maybe = outer
	case *syntax.CStyleLoop:
		r.arithmetic(l.Init)
		r.arithmetic(l.Cond)
		r.arithmetic(l.Post)
	}
	return r.branch(func() flow { return r.stmts(c.Do, in) })
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
		return !r.full
	})
}

// declare takes a function.
func (r *reader) declare(c *syntax.FuncDecl) {
	names := c.Names
	if c.Name != nil {
		names = append(names, c.Name)
	}
	if r.scope.funcs == nil {
		r.scope.funcs = map[string]function{}
	}
	for _, name := range names {
		if len(r.scope.funcs) < mostNames {
			r.scope.funcs[name.Value] = function{body: c.Body, src: r.src}
		} else {
			r.mark(Many)
		}
	}
	if len(names) == 0 {
		r.stmt(c.Body, &flow{})
	}
}

// call runs a function.
func (r *reader) call(name string, f function, args []arg, in *flow, unused bool) flow {
	if slices.Contains(r.bodies, f.body) { // by its body, as a function may make another one of its name
		if r.forks > 0 {
			r.effect(effect.Effect{Verb: effect.Exhaust, Object: "processes", How: name, Command: -1})
		}
		return flow{piped: true}
	}
	if len(r.active) >= MaxDepth {
		r.mark(Nesting)
		return flow{piped: true}
	}
	f.called = true
	r.scope.funcs[name] = f
	params, src := r.scope.params, r.src
	r.scope.params = nil
	if !unused {
		r.scope.params = make([]value, len(args))
		for i := range args {
			r.scope.params[i] = args[i].value()
		}
	}
	r.src = f.src
	r.active, r.bodies = append(r.active, name), append(r.bodies, f.body)
	locals := len(r.locals)
	out := r.stmt(f.body, in)
	r.active, r.bodies = r.active[:len(r.active)-1], r.bodies[:len(r.bodies)-1]
	for _, l := range slices.Backward(r.locals[locals:]) { // what was local has its old value again
		if l.set {
			r.scope.vars[l.name] = l.value
		} else {
			delete(r.scope.vars, l.name)
		}
	}
	r.locals = r.locals[:locals]
	r.scope.params, r.src = params, src
	return out
}
