package file

import (
	"github.com/sluice-project/sluice/internal/words"
	"github.com/sluice-project/sluice/policy"

	"go.yaml.in/yaml/v3"
)

// outcome is the parsed `then`.
type outcome struct {
	node   *yaml.Node
	action policy.Action
	// replacement replaces what was found: literally for redact, with $1 for
	// groups for rewrite.
	replacement string
	set         []assignment
}

// assignment sets an argument of a call.
type assignment struct {
	argument string
	where    place
	value    *yaml.Node
	// adds: the argument need not be present.
	adds bool
}

var actionWords = []string{"allow", "annotate", "rewrite", "redact", "ask", "block", "abort"}

// thenWords are those that stand alone behind then.
var thenWords = []string{"allow", "annotate", "rewrite", "redact", restoring, "ask", "block", "abort"}

// restoring is the word for restoring the secret of a placeholder.
const restoring = "restore"

// placeholder is the default replacement for redact.
const placeholder = "[redacted]"

// outcome reads `then`: a word, or a mapping of one word with its details.
func (r *reader) outcome(m member) outcome {
	n := m.value
	if n.Kind == yaml.ScalarNode && n.Value == restoring {
		return outcome{node: n, action: policy.Rewrite}
	}
	if n.Kind != yaml.MappingNode {
		o := outcome{node: n, action: actionOf(r.word(m, thenWords...))}
		if o.action == policy.Rewrite {
			r.problemf(n, `write then: {rewrite: "REPLACEMENT"}, or {rewrite: {set: {ARGUMENT: EXPRESSION}}}`,
				"rewrite does not say what is written instead")
		}
		if o.action == policy.Redact {
			o.replacement = placeholder
		}
		return o
	}
	members := r.object(n, "then", "block", "rewrite", "redact")
	if len(members) > 1 {
		r.problemf(n, "make two policies of it", "then says more than one thing")
		return outcome{node: n}
	}
	if len(n.Content) == 0 {
		r.problemf(n, "write a word: "+words.OneOf(thenWords), "then is empty")
	}
	o := outcome{node: n}
	if b, ok := members["block"]; ok {
		switch r.word(b, "feedback", "end_turn") {
		case "feedback":
			o.action = policy.BlockFeedback
		case "end_turn":
			o.action = policy.BlockEndTurn
		}
	}
	if d, ok := members["redact"]; ok {
		o.action, o.replacement = policy.Redact, r.text(d)
	}
	if w, ok := members["rewrite"]; ok {
		o.action = policy.Rewrite
		if w.value.Kind == yaml.MappingNode {
			o.set = r.assignments(w)
		} else {
			o.replacement = r.text(w)
		}
	}
	return o
}

func (r *reader) assignments(m member) []assignment {
	fields := r.object(m.value, "rewrite", "set", "add")
	list := []assignment{}
	for _, name := range []string{"set", "add"} {
		field, ok := fields[name]
		if !ok {
			continue
		}
		for _, a := range r.members(field.value, name) {
			if isNull(a.value) {
				r.problemf(a.value, "write null in quotes to set nothing", "%s has no value", a.name)
			} else if value := r.expression(a); value != nil {
				list = append(list, assignment{a.name, at(a.key), value, name == "add"})
			}
		}
		if field.value.Kind == yaml.MappingNode && len(field.value.Content) == 0 {
			r.problemf(field.value, "write {rewrite: {set: {ARGUMENT: EXPRESSION}}}", "rewrite sets nothing")
		}
	}
	if len(m.value.Content) == 0 {
		r.problemf(m.value, "write {rewrite: {set: {ARGUMENT: EXPRESSION}}}", "rewrite sets nothing")
	}
	return list
}

func actionOf(word string) policy.Action {
	action, err := policy.ParseAction(word)
	if err != nil {
		return 0 // it was reported where the word was read
	}
	return action
}
