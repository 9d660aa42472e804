package file

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"
)

// document is a policy file that has been parsed but not yet combined with others.
type document struct {
	*source
	params  []param
	entries []entry
	// programs are the descriptions of programs, nil if there are none.
	programs *yaml.Node
	// short: all its policies use short notices.
	short bool
}

// entry is one item of the list: a policy or the name of a preset.
type entry struct {
	policy *statement
	preset *reference
}

// policyKey is the first key at the top of a file that only policies have, nil if there
// is none or if there is a list of policies.
func policyKey(root *yaml.Node) (found *yaml.Node) {
	if root.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i < len(root.Content); i += 2 {
		switch name := root.Content[i].Value; {
		case name == "policies":
			return nil
		case found == nil && slices.Contains(keyNames(policyKeys), name) && !slices.Contains(keyNames(fileKeys), name):
			found = root.Content[i]
		}
	}
	return found
}

// read reads a policy file, which is in a directory unless that is empty. Problems go into the report, and what can be read
// is returned, so that all problems of a file are found at once.
func read(r *report, name, dir string, data []byte) *document {
	s, root := parse(r, name, dir, data)
	d := &document{source: s}
	if root == nil {
		return d
	}
	top := &reader{source: s}
	s.warnCut(root)
	if root.Kind == yaml.SequenceNode {
		top.problemf(root, "write `policies:` in a line above it", "the file is a list")
		return d
	}
	if name := policyKey(root); name != nil {
		top.problemf(name, "write `policies:` in a line above it, and begin each policy with `- `", "the file has the key %s of a policy, and policies are in a list", quote(name.Value))
		return d
	}
	members := top.object(root, "the file", keyNames(fileKeys)...)
	if root.Kind != yaml.MappingNode {
		return d
	}
	top.text(members["doc"])
	d.short = top.short(members["notice"])
	top.asWritten = top.written(members["compare"], false)
	if m, ok := members["params"]; ok {
		d.params = top.declared(m.value)
	}
	if m, ok := members["preset"]; ok {
		d.entries = append(d.entries, entry{preset: &reference{source: s, name: top.text(m), where: at(m.value)}})
	}
	if m, ok := members["programs"]; ok {
		d.programs = m.value
	}
	list, ok := members["policies"]
	switch {
	case !ok && (len(d.entries) > 0 || d.programs != nil):
		return d
	case !ok:
		if len(r.problems) == 0 {
			top.problemf(root, "write `policies:` and a list below it", "the file has no policies")
		}
		return d
	case list.value.Kind != yaml.SequenceNode:
		top.problemf(list.value, "begin each policy with `- `", "policies is %s, not a list", describe(list.value))
		return d
	case len(list.value.Content) == 0:
		top.problemf(list.value, "add one, or leave the file out", "the file has no policies")
		return d
	case len(list.value.Content) > maxPolicies:
		top.problemf(list.value.Content[maxPolicies], "split it into several files", "the file has more than %d policies", maxPolicies)
		return d
	}
	for i, n := range list.value.Content {
		d.entries = append(d.entries, top.entry(n, i))
	}
	return d
}

// entry reads one item of the list of policies.
func (r *reader) entry(n *yaml.Node, i int) entry {
	inner := &reader{source: r.source, asWritten: r.asWritten}
	if n.Kind != yaml.MappingNode {
		inner.problemf(n, "write `name:`, `when:` and `then:`, or `preset:`", "policy %d is %s, not a mapping", i+1, describe(n))
		return entry{}
	}
	for j := 0; j+1 < len(n.Content); j += 2 {
		if n.Content[j].Value == "preset" {
			return entry{preset: inner.reference(n)}
		}
	}
	return entry{policy: inner.statement(n, i)}
}

// reference names a preset, and overrides its settings.
type reference struct {
	*source
	name    string
	where   place
	mode    mode
	params  []member
	excepts []exception
	// set is the parsed params.
	set settings
	// again are references to the same preset in later files with further
	// settings. implied: it was not named explicitly.
	again   []*reference
	implied bool
}

// place is the location of the reference, for messages: FILE:LINE, or the path
// that named the preset.
func (ref *reference) place() string {
	if ref.source.name == presetPrefix+ref.name {
		return ref.source.name
	}
	return fmt.Sprintf("%s:%d", ref.source.name, ref.where.line)
}

// plain reports whether the reference has nothing but a name.
func (ref *reference) plain() bool {
	return ref.mode == enforced && len(ref.params) == 0 && len(ref.excepts) == 0
}

// exception is a condition under which a policy of a preset does not apply.
type exception struct {
	*source
	policy string
	// where is the position of the policy's name.
	where place
	when  *yaml.Node
	// used is set when the preset has a policy of that name.
	used *bool
}

func (r *reader) reference(n *yaml.Node) *reference {
	m := r.object(n, "the preset", keyNames(presetKeys)...)
	ref := &reference{source: r.source, name: r.text(m["preset"]), where: at(n), mode: r.mode(m["mode"])}
	if v := m["preset"].value; v != nil {
		ref.where = at(v)
	}
	if p := m["params"]; p.value != nil {
		ref.params = r.members(p.value, "params")
	}
	for _, item := range r.list(m["except"]) {
		e := r.object(item, "an exception", "policy", "when")
		if item.Kind != yaml.MappingNode {
			continue
		}
		x := exception{source: r.source, policy: r.text(e["policy"]), when: r.expression(e["when"]), used: new(bool)}
		switch {
		case e["policy"].value == nil:
			r.problemf(item, "write {policy: NAME, when: CONDITION}", "the exception names no policy")
			continue
		case x.when == nil:
			if e["when"].value == nil {
				r.problemf(item, "write {policy: NAME, when: CONDITION}", "the exception has no condition")
			}
			continue
		case x.policy == "":
			continue
		}
		x.where = at(e["policy"].value)
		ref.excepts = append(ref.excepts, x)
	}
	return ref
}

// expression returns the scalar that holds an expression, nil if there is none.
func (r *reader) expression(m member) *yaml.Node {
	switch {
	case m.value == nil:
		return nil
	case m.value.Kind != yaml.ScalarNode:
		r.problemf(m.value, "put it in quotes", "%s is %s, not an expression", m.name, describe(m.value))
		return nil
	}
	return m.value
}

// mode says how a policy takes part. The greater one wins where a preset and
// its user differ: what somebody switched off is not enforced.
type mode uint8

const (
	enforced mode = iota
	shadowed
	disabled
)

var modeNames = []string{"enforce", "shadow", "disabled"}

func (m mode) String() string { return modeNames[m] }

func (r *reader) mode(m member) mode {
	word := r.word(m, modeNames...)
	for i, name := range modeNames {
		if name == word {
			return mode(i)
		}
	}
	return enforced
}

// written reads `compare`; usual is what counts if nothing is said.
func (r *reader) written(m member, usual bool) bool {
	switch r.word(m, "possible", "written") {
	case "written":
		return true
	case "possible":
		return false
	default:
		return usual
	}
}

// nameOf reads and checks the name of a policy.
func (r *reader) nameOf(n *yaml.Node, m member, i int) string {
	if m.value == nil {
		r.problemf(n, "add `name:`, so that people can see which policy decided", "policy %d has no name", i+1)
		return ""
	}
	name := r.text(m)
	if name == "" {
		if m.value.Kind == yaml.ScalarNode && m.value.ShortTag() == "!!str" {
			r.problemf(m.value, "write a word like no-force-push", "policy %d has an empty name", i+1)
		}
		return ""
	}
	if c, bad := badNameCharacter(name); bad {
		r.problemf(m.value, "use letters, digits, - _ . and /", "the name has %s in it", c)
	} else if len(name) > maxName {
		r.problemf(m.value, "choose a shorter one", "the name is longer than %d characters", maxName)
	}
	return name
}

const maxName = 100

func badNameCharacter(name string) (string, bool) {
	for _, c := range name {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_', c == '.', c == '/':
		default:
			return fmt.Sprintf("%q", c), true
		}
	}
	return "", false
}
