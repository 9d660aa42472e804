package project

import (
	"maps"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// MakeSetting is how make, or a program like it, is called.
type MakeSetting struct {
	// Goals are the targets to make, the first of the file if there are none.
	Goals []string
	// Variables are those of the command line. They win over those of the file.
	Variables map[string]string
	// Environment are the variables of the environment. Those of the file win.
	Environment map[string]string
	// Open returns what is known of an included file, and false if nothing is.
	// It may be nil.
	Open func(name string) (File, bool)
}

// Make reads a makefile or a justfile: the commands that run to make some goals. A
// goal that is not known may be any of them.
func Make(f File, setting MakeSetting) Steps {
	m := &makefile{variables: map[string]string{}, given: map[string]string{}, open: setting.Open}
	for name, value := range setting.Environment {
		if strings.Contains(f.Content, "("+name+")") && !strings.Contains(f.Content, name+" ") && !strings.Contains(f.Content, name+"=") {
			m.given[name] = value
		}
	}
	maps.Copy(m.given, setting.Variables)
	m.read(f)
	return texts(m.commands(setting.Goals))
}

// makefile is what is known of a makefile or justfile: its targets in order.
type makefile struct {
	targets []target
	// variables are those whose value the file says. given are those of the
	// command line, which win over them.
	variables, given map[string]string
	// always are commands that run whatever is made, and commands whose target
	// cannot be seen.
	always   []string
	open     func(name string) (File, bool)
	included int
}

// target is something that can be made, what is made before it, and how.
type target struct {
	names, needs, recipe []string
}

// Bounds of what is read of a makefile.
const (
	maxTargets   = 512
	maxVariables = 256
	maxIncluded  = 32
)

// commands returns the commands that run to make some goals.
func (m *makefile) commands(goals []string) []string {
	if len(goals) == 0 {
		if first := m.first(); first != "" {
			goals = []string{first}
		}
	}
	list := m.always
	done := map[string]bool{}
	for len(goals) > 0 && len(done) < maxTargets {
		goal := goals[0]
		goals = goals[1:]
		if done[goal] {
			continue
		}
		done[goal] = true
		for i := range m.targets {
			if t := &m.targets[i]; t.makes(goal) || effect.Expands(goal) {
				list = append(list, t.recipe...)
				goals = append(goals, t.needs...)
			}
		}
	}
	return list
}

// makes reports whether a goal is made by a target.
func (t *target) makes(goal string) bool {
	return slices.ContainsFunc(t.names, func(name string) bool {
		before, after, wild := strings.Cut(name, "%")
		return name == goal || effect.Expands(name) ||
			wild && len(goal) >= len(before)+len(after) && strings.HasPrefix(goal, before) && strings.HasSuffix(goal, after)
	})
}

// first returns the goal that is made if none is named.
func (m *makefile) first() string {
	if goal := m.variables[".DEFAULT_GOAL"]; goal != "" {
		return goal
	}
	for _, t := range m.targets {
		for _, name := range t.names {
			if !strings.HasPrefix(name, ".") && !strings.Contains(name, "%") {
				return name
			}
		}
	}
	return ""
}

// read reads a file, and those that it includes at the place where it does.
func (m *makefile) read(f File) {
	current := -1
	for line := range strings.Lines(strings.ReplaceAll(f.Content, "\\\n", " ")) {
		line = strings.TrimRight(line, "\r\n")
		text := strings.TrimSpace(line)
		switch {
		case text == "" || text[0] == '#':
		case line[0] == '\t' || line[0] == ' ':
			if command := m.expand(strings.TrimLeft(text, "@-+")); current >= 0 {
				m.targets[current].recipe = append(m.targets[current].recipe, command)
			} else {
				m.always = append(m.always, command)
			}
		default:
			if _, rest, ok := strings.Cut(text, "$(shell "); ok {
				m.always = append(m.always, m.expand(strings.TrimSuffix(rest, ")")))
			}
			switch {
			case m.includes(text):
			case m.assigns(text):
			case m.head(text):
				current = len(m.targets) - 1
			case !f.Whole && current < 0 && strings.Contains(text, " "): // its target cannot be seen
				m.always = append(m.always, m.expand(strings.TrimLeft(text, "@-+")))
			}
		}
	}
}

// includes reads the files of an include line, or of an import line of a justfile, and
// reports whether it is one.
func (m *makefile) includes(line string) bool {
	word, names, _ := strings.Cut(line, " ")
	switch word {
	case "include", "-include", "sinclude", "import", "import?":
	default:
		return false
	}
	for name := range strings.FieldsSeq(m.expand(names)) {
		if m.included++; m.open == nil || m.included > maxIncluded {
			break
		}
		if f, ok := m.open(strings.Trim(name, `"'`)); ok {
			m.read(f)
		}
	}
	return true
}

// assigns reads a line that sets a variable, and reports whether it is one.
func (m *makefile) assigns(line string) bool {
	name, value, ok := strings.Cut(line, "=")
	if !ok {
		return false
	}
	name = strings.TrimSpace(strings.TrimRight(name, "?:+! "))
	name = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(name, "export "), "override "))
	if name == "" || strings.ContainsAny(name, " \t:$(){}") {
		return false
	}
	if len(m.variables) < maxVariables {
		m.variables[name] = strings.TrimSpace(value)
	}
	return true
}

// aroundNeeds removes the signs around what a target needs.
var aroundNeeds = strings.NewReplacer("|", " ", "(", " ", ")", " ")

// head reads the first line of a target, "names: needs ; recipe", and reports whether
// it is one. A justfile has parameters behind the name.
func (m *makefile) head(line string) bool {
	names, rest, ok := strings.Cut(line, ":")
	if !ok || strings.ContainsAny(names, "'\"`|;&<>") || len(m.targets) >= maxTargets {
		return false
	}
	needs, recipe, _ := strings.Cut(strings.TrimLeft(rest, ":"), ";")
	needs, _, _ = strings.Cut(needs, "#")
	t := target{names: strings.Fields(m.expand(strings.TrimLeft(names, "@"))), needs: strings.Fields(aroundNeeds.Replace(m.expand(needs)))}
	if recipe = strings.TrimLeft(strings.TrimSpace(recipe), "@-+"); recipe != "" {
		t.recipe = append(t.recipe, m.expand(recipe))
	}
	m.targets = append(m.targets, t)
	return true
}

// makeDollars writes the dollars of make as a shell has them.
var makeDollars = strings.NewReplacer("$$", "$", "$(HOME)", "$HOME", "${HOME}", "$HOME")

// Bounds of what a line becomes when its variables are expanded.
const (
	maxExpanded   = 4 << 10
	maxExpansions = 4 // variables in the values of variables
)

// expand replaces the variables of make whose value is known, and writes dollars as a
// shell has them.
func (m *makefile) expand(line string) string {
	if strings.IndexByte(line, '$') < 0 {
		return line
	}
	for range maxExpansions {
		next := m.expandOnce(line)
		if next == line || len(next) > maxExpanded {
			break
		}
		line = next
	}
	return makeDollars.Replace(line)
}

func (m *makefile) expandOnce(line string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(line, '$')
		if i < 0 || i+1 == len(line) || b.Len() > maxExpanded {
			b.WriteString(line)
			return b.String()
		}
		b.WriteString(line[:i])
		line = line[i:]
		end := -1
		switch line[1] {
		case '(':
			end = strings.IndexByte(line, ')')
		case '{':
			end = strings.IndexByte(line, '}')
		case '$':
			b.WriteString(line[:2])
			line = line[2:]
			continue
		}
		if end > 0 {
			if value, ok := m.variable(line[2:end]); ok {
				b.WriteString(value)
				line = line[end+1:]
				continue
			}
		}
		b.WriteByte('$')
		line = line[1:]
	}
}

// variable returns the value of a variable, and whether it is known.
func (m *makefile) variable(name string) (value string, ok bool) {
	if value, ok = m.given[name]; ok {
		return value, true
	}
	if value, ok = m.variables[name]; ok {
		return value, true
	}
	switch name {
	case "MAKE":
		return "make", true
	case "RM":
		return "rm -f", true
	case "CURDIR":
		return ".", true
	}
	return "", false
}
