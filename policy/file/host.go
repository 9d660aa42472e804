package file

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Host is what the program that enforces the policies consists of: what an agent
// would have to change, read or reach to switch its guard off. Presets read it as
// parameters, beside their own values and whatever those who use them set, so that
// nobody takes it away by setting others. The zero value adds nothing.
type Host struct {
	// Files may be read and are never changed: the configuration, the program
	// itself, its service. The policy files and folders that are loaded are always
	// among them.
	Files []string
	// Private are files and directories that are not read, either: the data
	// directory, the admin token, keys, the audit log.
	Private []string
	// Port is where the host listens, 0 if it does not.
	Port int
	// Process is the number of the host's process, 0 if it is not to be told.
	Process int
	// Program is the name of the program that the host runs as, and Line how it was
	// started, program and arguments: what processes are looked for and ended by.
	Program, Line string
}

// The parameters that a host adds to.
const (
	guardFiles     = "guard.files"
	guardPrivate   = "guard.private"
	guardPorts     = "guard.ports"
	guardProcesses = "guard.processes"
	guardPrograms  = "guard.programs"
	guardLines     = "guard.lines"
)

// always marks a pattern that no other takes out of a set of paths: a parameter
// such as "!/srv/**" must not open what the host adds.
const always = "!!"

// values are what the host adds to parameters.
func (h *Host) values(policies []string) map[string][]any {
	private := patterns(h.Private, true)
	added := map[string][]any{
		guardFiles:   slices.Concat(patterns(h.Files, false), patterns(policies, true), private),
		guardPrivate: private,
	}
	if h.Port > 0 {
		added[guardPorts] = []any{strconv.Itoa(h.Port)}
	}
	if h.Process > 0 {
		process := strconv.Itoa(h.Process)
		added[guardProcesses] = []any{process}
		inside := always + "/proc/" + process + "/**" // its memory, its variables and its files by other names
		added[guardPrivate] = append(added[guardPrivate], inside)
		added[guardFiles] = append(added[guardFiles], inside)
	}
	if h.Program != "" {
		added[guardPrograms] = []any{h.Program}
	}
	if h.Line != "" {
		added[guardLines] = []any{h.Line}
	}
	return added
}

// patterns are the patterns of paths by all names that the host can tell: as they
// were given, where links lead, and in small letters for disks that do not tell
// them apart. Trees are meant with all that lies in them, unless they are known to
// be files: what is in a file that is none would meet every *.tmp around it.
func patterns(paths []string, trees bool) []any {
	var list []any
	add := func(path string) {
		pattern := wildcards.Replace(filepath.ToSlash(path))
		if info, err := os.Stat(path); trees && (err != nil || info.IsDir()) {
			pattern += "/**"
		}
		pattern = always + pattern
		for _, as := range []string{pattern, strings.ToLower(pattern)} {
			if !slices.Contains(list, any(as)) {
				list = append(list, as)
			}
		}
	}
	for _, path := range paths {
		path, err := filepath.Abs(path)
		if err != nil {
			continue // there is no working directory, so nobody finds it
		}
		add(path)
		if target, err := filepath.EvalSymlinks(path); err == nil {
			add(target)
		} else if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil { // not made yet
			add(filepath.Join(dir, filepath.Base(path)))
		}
	}
	return list
}

// wildcards writes characters that have a meaning in patterns as one that stands
// for any.
var wildcards = strings.NewReplacer("*", "?", "[", "?", "]", "?", "{", "?", "}", "?", "$", "?", `\`, "?")

// guarded returns the scope with what the host adds to the parameters that it has,
// and whether that is anything.
func (s scope) guarded(added map[string][]any) (wider scope, changed bool) {
	for name, values := range added {
		standard, declared := s[name].([]any)
		if !declared || len(values) == 0 {
			continue
		}
		if !changed {
			wider, changed = s.changed(nil), true
		}
		wider[name] = slices.Concat(standard, values)
	}
	if !changed {
		return s, false
	}
	return wider, true
}
