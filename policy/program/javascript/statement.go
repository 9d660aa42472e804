package javascript

import (
	"github.com/tdewolff/parse/v2/js"

	"github.com/sluice-project/sluice/policy/program/javascript/syntax"
)

// block runs statements and returns what the last of them gives.
func (e *evaluator) block(list []js.IStmt) (last value) {
	for _, s := range list { // functions are there before their line
		if f, is := s.(*js.FuncDecl); is && f.Name != nil {
			e.declare("var", syntax.Name(f.Name.Data), e.declared(f))
		}
	}
	for _, s := range list {
		last = e.statement(s)
		if e.end != goesOn || e.steps < 0 {
			break
		}
	}
	return last
}

// statement runs one statement.
func (e *evaluator) statement(s js.IStmt) (last value) {
	if s == nil || !e.enter() {
		return value{}
	}
	defer e.leave()
	switch s := s.(type) {
	case *js.BlockStmt:
		e.inScope(func() { last = e.block(s.List) })
	case *js.ExprStmt:
		return e.expr(s.Value)
	case *js.DirectivePrologueStmt:
		return textValue(syntax.Unquoted(s.Value))
	case *js.VarDecl:
		e.variables(s)
	case *js.FuncDecl: // it is there
		if s.Name == nil {
			return e.expr(s)
		}
	case *js.ClassDecl:
		if v := e.expr(s); s.Name != nil {
			e.declare("let", syntax.Name(s.Name.Data), v)
		}
	case *js.IfStmt:
		e.decide(e.expr(s.Cond), func() { e.statement(s.Body) }, func() { e.statement(s.Else) })
	case *js.WhileStmt:
		e.repeat(s.Cond, nil, s.Body)
	case *js.DoWhileStmt:
		e.statement(s.Body)
		if e.end == broke || e.end == continued {
			e.end = goesOn
		}
		if e.end == goesOn {
			e.repeat(s.Cond, nil, s.Body)
		}
	case *js.ForStmt:
		e.inScope(func() {
			e.expr(s.Init)
			e.repeat(s.Cond, func() { e.expr(s.Post) }, s.Body)
		})
	case *js.ForInStmt:
		e.inScope(func() { e.forEach(s.Init, s.Value, true, s.Body) })
	case *js.ForOfStmt:
		e.inScope(func() { e.forEach(s.Init, s.Value, false, s.Body) })
	case *js.SwitchStmt:
		e.expr(s.Init)
		e.inScope(func() {
			for _, branch := range s.List {
				e.maybe(func() {
					e.expr(branch.Cond)
					e.block(branch.List)
				})
			}
		})
	case *js.TryStmt:
		e.tries++
		e.maybe(func() { e.statement(s.Body) })
		e.tries--
		if s.Catch != nil {
			e.maybe(func() {
				e.inScope(func() {
					e.assign("let", s.Binding, value{})
					e.statement(s.Catch)
				})
			})
		}
		if s.Finally != nil {
			e.statement(s.Finally)
		}
	case *js.ReturnStmt, *js.ThrowStmt, *js.BranchStmt:
		e.leaves(s)
	case *js.WithStmt:
		e.doubt(syntax.Reach)
		e.expr(s.Cond)
		e.statement(s.Body)
	case *js.LabelledStmt:
		return e.statement(s.Value)
	case *js.ImportStmt:
		e.imports(s)
	case *js.ExportStmt:
		if decl, is := s.Decl.(js.IStmt); is && !s.Default {
			return e.statement(decl)
		} else if s.Decl == nil && s.Module != nil {
			e.require(syntax.Unquoted(s.Module))
		}
		return e.expr(s.Decl)
	}
	return last
}

// imports declares what is taken from a module.
func (e *evaluator) imports(s *js.ImportStmt) {
	module := e.require(syntax.Unquoted(s.Module))
	if s.Default != nil {
		e.declare("const", syntax.Name(s.Default), e.member(module, "default"))
	}
	for _, a := range s.List {
		switch name := syntax.Name(a.Name); name {
		case "*":
			e.declare("const", syntax.Name(a.Binding), module)
		case "":
			e.declare("const", syntax.Name(a.Binding), e.member(module, syntax.Name(a.Binding)))
		default:
			e.declare("const", syntax.Name(a.Binding), e.member(module, name))
		}
	}
}

// decide goes one way if the condition is known, and both ways if not.
func (e *evaluator) decide(condition value, then, otherwise func()) {
	switch yes, known := condition.truth(); {
	case !known:
		e.fork(then, otherwise)
	case yes:
		then()
	default:
		otherwise()
	}
}

func (e *evaluator) variables(x *js.VarDecl) {
	how := x.TokenType.String()
	for i := range x.List {
		k := &x.List[i]
		name, is := k.Binding.(*js.Var)
		switch {
		case k.Default != nil:
			e.assign(how, k.Binding, e.expr(k.Default))
		case how == "var" && is && e.find(syntax.Name(name.Data)) != nil: // says again that it is there
		default:
			e.assign(how, k.Binding, value{kind: undefined})
		}
	}
}

// leaves ends a function or a loop.
func (e *evaluator) leaves(s js.IStmt) {
	switch s := s.(type) {
	case *js.ReturnStmt:
		v := value{kind: undefined}
		if s.Value != nil {
			v = e.expr(s.Value)
		}
		if e.result = append(e.result, v); len(e.result) > maxEither {
			e.result = []value{oneOf(e.result...)}
		}
		e.end = returned
	case *js.ThrowStmt:
		e.expr(s.Value)
		e.end = returned
	case *js.BranchStmt:
		if e.end = broke; s.Type == js.ContinueToken {
			e.end = continued
		}
		if s.Label != nil { // of an outer loop: what follows this one may not happen
			e.newBranch()
			e.marks = append(e.marks, len(e.log))
		}
	}
}
