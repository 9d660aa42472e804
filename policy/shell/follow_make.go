package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// makefile is what is known of a makefile or justfile: its targets in order.
type makefile struct {
	targets []target
	// variables are those with a value that is written down, given those of the
	// command line, which have another one whatever is written.
	variables, given map[string]string
	// always are commands that run whatever is made, or that stand where their
	// target cannot be seen.
	always []string
	// open is what is known of a file that is included, nil if none is looked for.
	open     func(name string) *File
	included int
}

// target is something that can be made, what is made before it, and how.
type target struct {
	names, needs, recipe []string
}

// Limits of what is read of a makefile.
const (
	mostTargets   = 512
	mostVariables = 256
	mostIncluded  = 32
)

// made are the commands of a makefile that run for what a command line names, or
// for the first target if it names none.
func made(a *act) func(f *File) []string {
	if a.Name != "just" && (a.Has("n") || a.Has("--dry-run") || a.Has("--just-print") || a.Has("--recon")) || a.Has("--list") || a.Has("--summary") {
		return func(*File) []string { return nil }
	}
	given := map[string]string{}
	var goals []string
	for _, word := range a.Operands("C", "f", "I", "o", "W", "l", "directory", "file", "makefile", "justfile", "d", "working-directory") {
		if name, value, ok := strings.Cut(word, "="); ok {
			given[name] = value
		} else {
			goals = append(goals, word)
		}
	}
	return func(f *File) []string {
		for name, value := range a.Env { // what the file does not set itself
			if _, set := given[name]; !set && strings.Contains(f.Content, "("+name+")") && !strings.Contains(f.Content, name+" ") && !strings.Contains(f.Content, name+"=") {
				given[name] = value
			}
		}
		dir := a.Flag("C") + a.Flag("directory")
		m := &makefile{variables: map[string]string{}, given: given, open: func(name string) *File {
			if dir != "" && !effect.IsAbs(name) {
				name = path.Join(dir, name)
			}
			p, _ := a.at.Resolve(name) // one that is not known is none that was written
			f := a.r.file(p)
			if f != nil && f.Remote != "" {
				a.does(effect.RunRemote, f.Remote)
			}
			if f == nil || !a.r.pay(len(f.Content)) {
				return nil
			}
			return f
		}}
		m.read(f)
		return m.commands(goals)
	}
}

// commands are the commands that run to make some goals.
func (m *makefile) commands(goals []string) []string {
	if len(goals) == 0 {
		if first := m.first(); first != "" {
			goals = []string{first}
		}
	}
	list := m.always
	done := map[string]bool{}
	for len(goals) > 0 && len(done) < mostTargets {
		goal := goals[0]
		goals = goals[1:]
		if done[goal] {
			continue
		}
		done[goal] = true
		for i := range m.targets {
			if t := &m.targets[i]; t.makes(goal) || unknown(goal) { // it may be any of them
				list = append(list, t.recipe...)
				goals = append(goals, t.needs...)
			}
		}
	}
	return list
}

// makes reports whether a target is the way to make something.
func (t *target) makes(goal string) bool {
	return slices.ContainsFunc(t.names, func(name string) bool {
		before, after, wild := strings.Cut(name, "%")
		return name == goal || unknown(name) ||
			wild && len(goal) >= len(before)+len(after) && strings.HasPrefix(goal, before) && strings.HasSuffix(goal, after)
	})
}

// first is the goal that is made if none is named.
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

func readMakefile(f *File, given map[string]string) *makefile {
	m := &makefile{variables: map[string]string{}, given: given}
	m.read(f)
	return m
}

// read takes what a file says, and those that it includes where it does.
func (m *makefile) read(f *File) {
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
			case !f.Known && current < 0 && strings.Contains(text, " "): // of which the target cannot be seen
				m.always = append(m.always, m.expand(strings.TrimLeft(text, "@-+")))
			}
		}
	}
}

// includes reads the files that a line says to read as if they stood there: those of
// make, and import of a justfile.
func (m *makefile) includes(line string) bool {
	word, names, _ := strings.Cut(line, " ")
	switch word {
	case "include", "-include", "sinclude", "import", "import?":
	default:
		return false
	}
	for name := range strings.FieldsSeq(m.expand(names)) {
		if m.included++; m.open == nil || m.included > mostIncluded {
			break
		}
		if f := m.open(strings.Trim(name, `"'`)); f != nil {
			m.read(f)
		}
	}
	return true
}

// assigns takes a line that gives a variable a value.
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
	if len(m.variables) < mostVariables {
		m.variables[name] = strings.TrimSpace(value)
	}
	return true
}

// aroundNeeds are signs around what a target needs.
var aroundNeeds = strings.NewReplacer("|", " ", "(", " ", ")", " ")

// head begins a target: names: needs ; recipe. A justfile has parameters behind
// the name. It reports false for a line that begins none.
func (m *makefile) head(line string) bool {
	names, rest, ok := strings.Cut(line, ":")
	if !ok || strings.ContainsAny(names, "'\"`|;&<>") || len(m.targets) >= mostTargets {
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

// Limits of what a line becomes by what its variables stand for.
const (
	mostExpanded   = 4 << 10
	mostExpansions = 4 // of variables in variables
)

// expand writes the variables of make as a shell has them: what is known of them
// stands in their place.
func (m *makefile) expand(line string) string {
	for range mostExpansions {
		next := m.expandOnce(line)
		if next == line || len(next) > mostExpanded {
			break
		}
		line = next
	}
	return makeVariables.Replace(line)
}

func (m *makefile) expandOnce(line string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(line, '$')
		if i < 0 || i+1 == len(line) || b.Len() > mostExpanded {
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

// variable is the value of a variable, and whether it is known.
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
