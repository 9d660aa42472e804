package output

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// MostRoots is how many directories a search is followed in.
const MostRoots = 8

// fdName makes a name of a simple pattern: ^\.env$.
var fdName = strings.NewReplacer("^", "", "$", "", `\.`, ".")

// Found stands for the paths that find finds: its roots, with the names that it
// looks for below them.
func Found(a *invocation.Act) []string {
	roots, name := []string(nil), ""
	shallow := false
	if strings.HasPrefix(a.Name, "fd") {
		words := a.Operands("e", "t", "d", "E", "x", "X", "c", "j", "S", "o", "extension", "type", "max-depth", "exclude", "exec", "exec-batch")
		if i := slices.IndexFunc(a.Args, func(s string) bool { return s == "-x" || s == "-X" || s == "--exec" || s == "--exec-batch" }); i >= 0 {
			c := invocation.Command{Args: a.Args[:i]}
			words = c.Operands("e", "t", "d", "E", "c", "j", "S", "o", "extension", "type", "max-depth", "exclude")
		}
		if len(words) > 0 && words[0] != "." && words[0] != "" {
			name = patternName(fdName.Replace(words[0]))
		}
		if ext := a.Flag("e") + a.Flag("extension"); ext != "" {
			name = "*." + ext
		}
		roots = words[min(1, len(words)):]
	} else {
		options := 0 // those that stand before the roots
		for i, arg := range a.Args {
			switch {
			case i == options && len(roots) == 0 && isFindOption(arg):
				options++
			case strings.HasPrefix(arg, "-") || arg == "(" || arg == "!" || arg == ")":
				if i+1 < len(a.Args) && (i == 0 || a.Args[i-1] != "!" && a.Args[i-1] != "-not") {
					switch arg {
					case "-name":
						name = a.Args[i+1]
					case "-iname":
						name = strings.ToLower(a.Args[i+1])
					case "-path", "-wholename", "-ipath", "-regex", "-iregex": // where, beside a name
						if name == "" {
							name = pathName(a.Args[i+1])
						}
					case "-maxdepth":
						shallow = a.Args[i+1] == "0" || a.Args[i+1] == "1"
					}
				}
			case i == options+len(roots): // roots stand first
				roots = append(roots, arg)
			}
		}
	}
	if len(roots) == 0 {
		roots = []string{"."}
	}
	if !strings.HasPrefix(a.Name, "fd") && name != "" && !narrows(a.Args) {
		name = ""
	}
	if len(roots) > MostRoots {
		a.Doubt(invocation.Many)
		roots = roots[:MostRoots]
	}
	items := make([]string, 0, len(roots))
	for _, root := range roots {
		if root == "" { // find '' fails
			continue
		}
		below := "/**/"
		if shallow {
			below = "/"
		}
		switch {
		case name != "" && strings.Trim(name, "*.?") != "":
			items = append(items, strings.TrimSuffix(root, "/")+below+name)
		case narrowed(a.Args), shallow && root == "/" && ofFiles(a.Args): // in / there are directories, and hardly a file
			items = append(items, strings.TrimSuffix(root, "/")+below+follow.SomeOf)
		case shallow:
			items = append(items, strings.TrimSuffix(root, "/")+"/*")
		default:
			items = append(items, strings.TrimSuffix(root, "/")+"/**")
		}
	}
	return items
}

// isFindOption reports whether a word stands before the roots of a search: tests and
// actions begin with one dash.
func isFindOption(word string) bool {
	switch word {
	case "-L", "-P", "-H", "-E", "-X", "-x", "-d", "-s":
		return true
	}
	return strings.HasPrefix(word, "--") || strings.HasPrefix(word, "-O")
}

// narrows reports whether every alternative of a search asks for a name before
// it does anything.
func narrows(args []string) bool {
	asked, not := false, false
	for _, arg := range args {
		switch arg {
		case "-o", "-or", ",":
			if !asked {
				return false
			}
			asked, not = false, false
		case "!", "-not":
			not = true
		case "-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex", "-lname", "-empty", "-mtime", "-mmin", "-size", "-newer", "-atime", "-ctime":
			asked, not = asked || !not, false
		case "-delete", "-exec", "-execdir", "-ok", "-okdir":
			if !asked {
				return false
			}
		}
	}
	return asked
}

// narrowed reports whether a search is for some of the files only, by something
// else than their name.
func narrowed(args []string) bool {
	for _, arg := range args {
		switch arg {
		case "-mtime", "-mmin", "-atime", "-ctime", "-size", "-empty", "-newer", "-user", "-perm", "-inum", "-samefile", "-nouser", "-nogroup":
			return true
		}
	}
	return false
}

// ofFiles reports whether a search is for files only.
func ofFiles(args []string) bool {
	i := slices.Index(args, "-type")
	return i >= 0 && i+1 < len(args) && args[i+1] == "f" && !slices.Contains(args, "-o") && (i == 0 || args[i-1] != "!" && args[i-1] != "-not")
}
