package vocabulary

import "strings"

// versions are those under which programs are installed beside their plain name.
var versions = map[string]string{
	"python": pythons, "pip": pythons, "pypy": "3", "ruby": "2.7 3.0 3.1 3.2 3.3 3.4", "perl": "5",
	"php": "7 7.4 8 8.0 8.1 8.2 8.3 8.4 8.5", "lua": "5.1 5.2 5.3 5.4",
	"node": "12 14 16 18 19 20 21 22 23 24 25 26 27 28",
}

const pythons = "2 2.7 3 3.6 3.7 3.8 3.9 3.10 3.11 3.12 3.13 3.14 3.15 3.16"

// Versions are the names of a program with its version, as python3 and python3.12 are of
// python, and python3.12 is of python3.
func Versions(name string) (names []string) {
	base := strings.TrimRight(name, "0123456789.")
	for version := range strings.FieldsSeq(versions[base]) {
		if full := base + version; full != name && strings.HasPrefix(full, name) && (name == base || full[len(name)] == '.') {
			names = append(names, full)
		}
	}
	return names
}
