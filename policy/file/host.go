package file

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/shell"
)

// Host describes the program that enforces the policies: what an agent would have
// to change, read or reach to switch it off. Presets see it as parameters, in
// addition to their own values and whatever their users set, so that setting those
// cannot remove it. The zero value adds nothing.
type Host struct {
	// Files may be read and must never be changed: the configuration, the program
	// itself, its service. The policy files and folders that are loaded are always
	// among them.
	Files []string
	// Private are files and directories that must not be read either: the data
	// directory, the admin token, keys, the audit log.
	Private []string
	// Port is where the host listens, 0 if it does not.
	Port int
	// Process is the host's process ID, 0 if it is not to be protected.
	Process int
	// Program is the name of the program that the host runs as, and Line its
	// command line: what processes are searched and killed by.
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

// always marks a pattern that no exclusion removes from a set of paths: a
// parameter such as "!/srv/**" must not open up what the host adds.
const always = "!!"

// values are the host's additions to parameters.
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

// described is the description of the host's program under the name that it runs under,
// nil if it is described under that: whoever calls it calls the same program.
func (h *Host) described() *yaml.Node {
	if h.Program == "" || shell.Knows(h.Program) || !programName.MatchString(h.Program) {
		return nil
	}
	var node yaml.Node
	if err := yaml.Unmarshal([]byte(h.Program+": {like: "+invocation.GuardName+"}"), &node); err != nil {
		return nil
	}
	return node.Content[0]
}

// programName is what can be the name of a program in a description.
var programName = regexp.MustCompile(`^[A-Za-z_][\w.-]*$`)

// patterns are the patterns of paths under all names that the host can find: as
// given, with links resolved, and in lower case for case-insensitive disks.
// Directories include everything in them; paths that are known to be files do not,
// because FILE/** would match every *.tmp around them. What is in the host's home
// directory is also there by ~, because the client that a call comes from need not say
// where its home is.
func patterns(paths []string, trees bool) []any {
	var list []any
	home, _ := os.UserHomeDir()
	add := func(path string) {
		pattern := wildcards.Replace(filepath.ToSlash(path))
		if info, err := os.Stat(path); trees && (err != nil || info.IsDir()) {
			pattern += "/**"
		}
		spellings := []string{pattern, strings.ToLower(pattern)}
		if below, ok := strings.CutPrefix(pattern, wildcards.Replace(filepath.ToSlash(home))+"/"); ok && home != "" && below != "**" {
			spellings = append(spellings, "~/"+below)
		}
		for _, as := range spellings {
			if as = always + as; !slices.Contains(list, any(as)) {
				list = append(list, as)
			}
		}
	}
	for _, path := range paths {
		path, err := filepath.Abs(path)
		if err != nil {
			continue // there is no working directory, so it cannot be found
		}
		add(path)
		if target, err := filepath.EvalSymlinks(path); err == nil {
			add(target)
		} else if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil { // does not exist yet
			add(filepath.Join(dir, filepath.Base(path)))
		}
	}
	return list
}

// wildcards replaces characters with a meaning in patterns by one that matches
// any character.
var wildcards = strings.NewReplacer("*", "?", "[", "?", "]", "?", "{", "?", "}", "?", "$", "?", `\`, "?")

// guarded returns the scope with the host's additions to the parameters that it
// has, and whether there are any.
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
