package rule

import (
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"

	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/effect"
)

// text is an expression that is a text.
func (t *translator) text(e ast.Expr) *node {
	switch e.Kind() {
	case ast.LiteralKind:
		if text, ok := stringLiteral(e); ok {
			return &node{op: opText, text: text}
		}
	case ast.IdentKind:
		if at, ok := t.slotOf(e, nil); ok {
			return &node{op: opLocal, slot: at, written: t.written || t.locals[at].values != nil}
		}
	case ast.SelectKind:
		return t.textField(e)
	case ast.CallKind:
		c := e.AsCall()
		switch name := c.FunctionName(); {
		case name == operators.Add && t.isText(e):
			if l, r := t.text(c.Args()[0]), t.text(c.Args()[1]); l != unclear && r != unclear {
				return &node{op: opJoined, kids: []*node{l, r}}
			}
		case name == operators.Index:
			return t.element(c.Args()[0], c.Args()[1])
		case name == "host" && c.IsMemberFunction():
			if raw := t.text(c.Target()); raw != unclear {
				return &node{op: opHost, kids: []*node{raw}}
			}
		case name == "flag" && c.IsMemberFunction():
			at, ok := t.slotOf(c.Target(), commandType)
			if flag, isConst := stringLiteral(c.Args()[0]); ok && isConst {
				return &node{op: opFlag, slot: at, text: flag, written: t.written}
			}
		}
	default:
	}
	return unclear
}

// element is list[number] or list[size(list) - 1].
func (t *translator) element(from, at ast.Expr) *node {
	list := t.list(from)
	if list == unclear {
		return unclear
	}
	if number, ok := intLiteral(at); ok && number >= 0 {
		return &node{op: opElement, number: number, written: t.written, kids: []*node{list}}
	}
	if at.Kind() != ast.CallKind || at.AsCall().FunctionName() != operators.Subtract || list.op != opArgs {
		return unclear
	}
	of, isSize := sizeOf(at.AsCall().Args()[0])
	if back, ok := intLiteral(at.AsCall().Args()[1]); !isSize || !ok || back != 1 {
		return unclear
	}
	if other := t.list(of); other.op != opArgs || other.slot != list.slot {
		return unclear
	}
	return &node{op: opElement, number: -1, kids: []*node{list}}
}

func (t *translator) isText(e ast.Expr) bool {
	typ := t.ast.GetType(e.ID())
	return typ != nil && typ.IsExactType(types.StringType)
}

// textField is a field that is a text.
func (t *translator) textField(e ast.Expr) *node {
	s := e.AsSelect()
	if s.IsTestOnly() {
		return unclear
	}
	if field, ok := callField(t.ast, e); ok {
		if get := callTexts[field]; get != nil {
			return &node{op: opField, text: field, get: func(v *view) string { return get(v.read()) }}
		}
		return unclear
	}
	if at, ok := t.slotOf(s.Operand(), effectType); ok {
		if get := effectTexts[s.FieldName()]; get != nil {
			return &node{op: opOfEffect, slot: at, text: s.FieldName(), effectText: get, written: t.written || s.FieldName() != "object" && s.FieldName() != "from"}
		}
		return unclear
	}
	if at, ok := t.slotOf(s.Operand(), commandType); ok {
		if name := s.FieldName(); name == "name" || name == "sub" || name == "text" {
			return &node{op: opOfSlot, slot: at, text: name, written: t.written}
		}
		return unclear
	}
	if get, missing, ok := t.session(s.Operand(), s.FieldName()); ok {
		return &node{op: opSession, get: get, answer: unknownOf(missing)}
	}
	return unclear
}

// effectTexts and effectMarks are the fields of an effect.
var (
	effectTexts = map[string]func(e *effect.Effect) string{
		"verb":    func(e *effect.Effect) string { return string(e.Verb) },
		"object":  func(e *effect.Effect) string { return e.Object },
		"from":    func(e *effect.Effect) string { return e.From },
		"how":     func(e *effect.Effect) string { return e.How },
		"content": func(e *effect.Effect) string { return e.Content },
	}
	effectMarks = map[string]func(e *effect.Effect) bool{
		"wide":    func(e *effect.Effect) bool { return e.Wide },
		"sudo":    func(e *effect.Effect) bool { return e.Sudo },
		"remote":  func(e *effect.Effect) bool { return e.Remote },
		"guess":   func(e *effect.Effect) bool { return e.Guess },
		"shown":   func(e *effect.Effect) bool { return e.Shown },
		"scratch": func(e *effect.Effect) bool { return e.Scratch },
	}
)

// callTexts are the fields of a call that are texts.
var callTexts = map[string]func(c *call.Call) string{
	"name":     func(c *call.Call) string { return c.Name },
	"raw_name": func(c *call.Call) string { return c.RawName },
	"kind":     func(c *call.Call) string { return string(c.Kind) },
	"server":   func(c *call.Call) string { return c.Server },
	"raw":      func(c *call.Call) string { return c.Raw },
}

// session is a field of the session that may not be known.
func (t *translator) session(operand ast.Expr, name string) (get func(*view) string, missing attribute, ok bool) {
	if !isGlobal(operand, "session") {
		return nil, 0, false
	}
	switch name {
	case "cwd":
		return func(v *view) string { return v.exchange.Session.Cwd }, sessionCwd, true
	case "home":
		return func(v *view) string { return v.exchange.Session.Home }, sessionHome, true
	case "client":
		return func(v *view) string { return v.exchange.Session.Client }, sessionClient, true
	case "id":
		return func(v *view) string { return v.exchange.Session.ID }, sessionID, true
	default:
		return nil, 0, false
	}
}

// list is an expression that is a list of texts.
func (t *translator) list(e ast.Expr) *node {
	if e.Kind() == ast.ListKind {
		if names, ok := stringLiterals(e); ok {
			return &node{op: opNames, names: names}
		}
		return unclear
	}
	if field, ok := callField(t.ast, e); ok {
		if get := callLists[field]; get != nil {
			return &node{op: opFiles, written: t.written, list: func(v *view) ([]string, answer) { return get(v.read()) }}
		}
		return unclear
	}
	if field, ok := selectOf(t.ast, e, commandType); ok {
		at, ok := t.slotOf(e.AsSelect().Operand(), commandType)
		switch {
		case ok && (field == "args" || field == openPrefix+"args"):
			return &node{op: opArgs, slot: at, written: t.written}
		case ok && field == "env":
			return &node{op: opEnv, slot: at}
		}
	}
	return unclear
}

// callLists are the lists of texts of a call, with what is unknown of them.
var callLists = map[string]func(c *call.Call) ([]string, answer){
	"reads":   func(c *call.Call) ([]string, answer) { return c.Reads, whole(!c.Incomplete.Reads, someReads) },
	"writes":  func(c *call.Call) ([]string, answer) { return c.Writes, whole(!c.Incomplete.Writes, someWrites) },
	"urls":    func(c *call.Call) ([]string, answer) { return c.URLs, whole(!c.Incomplete.URLs, someURLs) },
	"unknown": func(c *call.Call) ([]string, answer) { return c.Unknown, yes },
}

func whole(complete bool, name attribute) answer {
	if complete {
		return yes
	}
	return unknownOf(name)
}
