package file

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
)

// Policies can give arguments of a call other values. Where a call only passes others on, it
// is those that get them, each for which the condition holds.

// errFreeform is the reason why an argument cannot be set.
var errFreeform = errors.New("the call has free text instead of arguments")

// errInner is the reason why an argument of a call that another one passes on cannot be
// set.
var errInner = errors.New("the tool passes another call on, whose arguments cannot surely be changed in it: call that tool by itself")

// assign sets arguments of a call, or of those that it passes on, and leaves the others
// alone.
func (p *part) assign(s *policy.Subject) (string, error) {
	if s.Block.Freeform() {
		if len(p.set) > 0 && p.holdsInside(s) {
			return "", errInner
		}
		return "", errFreeform
	}
	if err := llm.CheckArguments(s.Block.Arguments); err != nil {
		return "", err
	}
	inner, passesOn, err := p.inside(s)
	if err != nil || !passesOn {
		if err == nil {
			return p.assigned(s.Block.Arguments, func(value *rule.Program) (any, error) { return value.Value(s) })
		}
		return "", err
	}
	document := s.Block.Arguments
	slices.SortFunc(inner, func(a, b rule.Inner) int { return b.From - a.From })
	for i := range inner {
		in := &inner[i]
		if document, err = p.assignInner(document, in); err != nil {
			return "", err
		}
	}
	return document, nil
}

// holdsInside reports whether the policy is about a call that the subject's passes on.
func (p *part) holdsInside(s *policy.Subject) bool {
	inner := p.set[0].value.Inner(s)
	return slices.ContainsFunc(inner, func(in rule.Inner) bool { return p.replaces(p.aboutInner(&in)) })
}

// inside returns the calls inside of a call that are to be changed. passesOn is false if it
// is the call itself. A program that calls tools is a call of its own; what it calls cannot
// be changed.
func (p *part) inside(s *policy.Subject) (list []rule.Inner, passesOn bool, err error) {
	if len(p.set) == 0 {
		return nil, false, nil
	}
	var others []rule.Inner // they pass calls on themselves
	for _, in := range p.set[0].value.Inner(s) {
		passesOn = passesOn || !in.InProgram
		m := p.aboutInner(&in)
		if m.err == nil && m.outcome == rule.Unknown && p.stopsUnknown() {
			return nil, true, &unknownInnerError{m.what}
		}
		switch {
		case !p.replaces(m):
		case in.PassesOn():
			others = append(others, in)
		case in.InProgram || in.To == 0:
			return nil, true, errInner
		default:
			list = append(list, in)
		}
	}
	// The condition can be about several calls together: then it is not known which one to
	// change.
	if passesOn && len(list) == 0 {
		return nil, true, errInner
	}
	for _, outer := range others {
		if !slices.ContainsFunc(list, func(in rule.Inner) bool { return outer.From < in.From && in.To <= outer.To }) {
			return nil, true, errInner
		}
	}
	return list, passesOn, nil
}

// aboutInner says whether the policy applies to a call that the subject's passes on.
func (p *part) aboutInner(in *rule.Inner) match {
	if p.settled {
		return p.match
	}
	var m match
	m.outcome, m.what, m.err = p.when.MatchInner(in)
	return m
}

// assignInner sets arguments of a call inside of a document. They are an object, a text
// with one in it, or null.
func (p *part) assignInner(document string, in *rule.Inner) (string, error) {
	if in.Freeform || len(in.Partial) > 0 || in.To > len(document) {
		return "", errInner
	}
	written := document[in.From:in.To]
	arguments, quoted := written, written[0] == '"'
	switch {
	case quoted:
		text, ok := jsonscan.Unquote(nil, jsonscan.View(written))
		if !ok {
			return "", errInner
		}
		arguments = string(text)
	case written == "null":
		arguments = "{}"
	}
	if arguments != in.Arguments || llm.CheckArguments(arguments) != nil {
		return "", errInner
	}
	changed, err := p.assigned(arguments, func(value *rule.Program) (any, error) { return value.ValueInner(in) })
	if err != nil {
		return "", err
	}
	if changed == arguments {
		return document, nil
	}
	if quoted {
		changed = string(jsonscan.AppendString(nil, changed))
	}
	return document[:in.From] + changed + document[in.To:], nil
}

// assigned are arguments with the values that the policy sets.
func (p *part) assigned(arguments string, valueOf func(*rule.Program) (any, error)) (string, error) {
	document := []byte(arguments)
	for _, a := range p.set {
		value, err := valueOf(a.value)
		if err != nil {
			return "", fmt.Errorf("%s: %w", a.argument, err)
		}
		var encoded bytes.Buffer
		encoder := json.NewEncoder(&encoded)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(value); err != nil {
			return "", fmt.Errorf("%s: %w", a.argument, err)
		}
		if document, err = a.in(document, bytes.TrimRight(encoded.Bytes(), "\n")); err != nil {
			return "", err
		}
	}
	return string(document), nil
}

// in is the arguments with the value of the setting. In the name of an argument, a dot
// stands before a member of an object, unless there is an argument with the dot.
func (a *setting) in(arguments, value []byte) ([]byte, error) {
	path := []string{a.argument}
	if _, _, literal := jsonscan.Get(arguments, a.argument); !literal && !slices.Contains(strings.Split(a.argument, "."), "") {
		path = strings.Split(a.argument, ".")
	}
	if _, _, there := jsonscan.Get(arguments, path...); !there && !a.adds {
		// The client may use another name for the argument.
		return nil, fmt.Errorf("the call has no argument %s: use add instead of set, which adds it", a.argument)
	}
	return setAt(arguments, path, value)
}

// setAt replaces the value at a path in an object, or adds it there.
func setAt(object []byte, path []string, value []byte) ([]byte, error) {
	if len(path) == 1 {
		return setMember(object, path[0], value), nil
	}
	inner, _, there := jsonscan.Get(object, path[0])
	switch {
	case !there:
		inner = []byte("{}")
	case !bytes.HasPrefix(inner, []byte("{")):
		return nil, fmt.Errorf("the argument %s of the call is no object, so that it has no %s", path[0], strings.Join(path[1:], "."))
	}
	changed, err := setAt(bytes.Clone(inner), path[1:], value)
	if err != nil {
		return nil, err
	}
	return setMember(object, path[0], changed), nil
}

// setMember replaces the value of a member of an object, or adds the member at
// the end.
func setMember(object []byte, name string, value []byte) []byte {
	if _, span, ok := jsonscan.Get(object, name); ok {
		if bytes.Equal(object[span[0]:span[1]], value) {
			return object
		}
		return bytes.Join([][]byte{object[:span[0]], value, object[span[1]:]}, nil)
	}
	last := bytes.LastIndexByte(object, '}')
	if last < 0 {
		object, last = []byte("{}"), 1 // nothing at all means {}
	}
	body := bytes.TrimRight(object[:last], " \t\r\n")
	var out []byte
	out = append(out, body...)
	if body[len(body)-1] != '{' {
		out = append(out, ',')
	}
	out = jsonscan.AppendString(out, name)
	out = append(out, ':')
	out = append(out, value...)
	return append(out, object[len(body):]...)
}
