package call

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// transfer reads what a tool moves or copies, as mv and cp would, and reports
// whether it does.
func (c *Call) transfer(t *tool, m members) bool {
	if t.kind == KindShell || !m.has(fieldSource) && !m.has(fieldTarget) && !m.has(fieldFrom) && !m.has(fieldTo) {
		return false
	}
	words := c.words
	program := "cp"
	switch {
	case says(words, "moving"):
		program = "mv"
	case says(words, "copying"):
	case says(words, "packing") && !says(words, "unpacking"):
		program = "tar"
	default:
		return false
	}
	var from, to []string
	for i := range m {
		v := &m[i]
		switch v.field {
		case fieldSource, fieldFrom, fieldPath:
			from = append(from, v.texts()...)
		case fieldTarget, fieldTo:
			to = append(to, v.texts()...)
		default:
		}
	}
	if len(to) == 0 && len(from) == 2 { // two paths
		from, to = from[:1], from[1:]
	}
	if len(from) == 0 || len(to) == 0 {
		return false
	}
	for i, source := range from {
		if c.texts > MaxTexts {
			break
		}
		target := to[0]
		if len(to) == len(from) {
			target = to[i]
		}
		source, _ = c.at.Resolve(source)
		if !strings.ContainsAny(target, `/\`) && m.has(fieldTo) && program == "mv" { // a new name
			target = path.Join(path.Dir(source), target)
		}
		target, _ = c.at.Resolve(target)
		if program == "tar" {
			c.as("tar", "-cf", target, source)
		} else {
			c.as(program, "--", source, target)
		}
	}
	return true
}

// saves reads a file into which a tool puts what it fetches, and reports whether
// it fetches something.
func (c *Call) saves(t *tool, m members, to *value) bool {
	url, ok := m.text(fieldURL)
	if !ok || t.kind == KindShell {
		return false
	}
	for _, p := range to.texts() {
		object, known := c.at.Resolve(p)
		if !known {
			c.doubt(Location, doubtOf(writes))
		}
		c.apply()
		c.hold(object, &invocation.File{Remote: url})
		c.affect(&effect.Effect{Verb: effect.Write, Object: object, From: url, How: c.Name, Command: -1})
	}
	return true
}

// downloads reports whether a tool puts what it fetches into a file.
func downloads(name string) bool {
	return strings.Contains(strings.ToLower(name), "download")
}

// isTexts reports whether a value is a text or a list of texts.
func (v *value) isTexts() bool { return v.kind == jsonscan.String || v.kind == jsonscan.Array }

// texts are the strings of a value.
func (v *value) texts() []string {
	if v.kind == jsonscan.String {
		return []string{v.text}
	}
	return readings(v.list)[0]
}

// looksLikePath reports whether a text that may also be something else is a path.
func looksLikePath(text string) bool {
	if text == "" || len(text) > effect.MaxPlace || strings.ContainsAny(text, "\r\n") {
		return false
	}
	return effect.IsAbs(text) || text[0] == '~' || text[0] == '.' || text[0] == '$' || effect.IsWindows(text) ||
		!strings.Contains(text, " ") && strings.ContainsAny(text, "./\\")
}
