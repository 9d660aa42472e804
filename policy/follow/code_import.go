package follow

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/invocation"
)

// mostImported is how many values of other modules are put into a program, and
// mostImporting how long that may be.
const (
	mostImported  = 32
	mostImporting = 64 << 10
)

// withImported is a program in Python with the values that it takes from modules
// of the conversation: what they are given there stands behind the import.
func withImported(a *invocation.Act, in *interpreter, program string, args []string) string {
	if !a.R.HasFiles() || len(program) > mostImporting || !strings.Contains(program, "import ") {
		return program
	}
	beside := ""
	if len(args) > 0 {
		beside = path.Dir(args[0])
	}
	var b strings.Builder
	var renames []string
	left := mostImported
	for line := range strings.Lines(program) {
		b.WriteString(line)
		words := strings.Fields(strings.ReplaceAll(line, ",", " "))
		if len(words) < 2 || left <= 0 || line[0] == ' ' || line[0] == '\t' {
			continue
		}
		from := words[0] == "from" && len(words) > 3
		if !from && words[0] != "import" {
			continue
		}
		content := moduleText(a, in, modulePath(words[1]), beside)
		if content == "" {
			continue
		}
		if !strings.HasSuffix(line, "\n") {
			b.WriteByte('\n')
		}
		for given := range strings.Lines(content) {
			name, _, ok := strings.Cut(given, "=")
			if name = strings.TrimSpace(name); !ok || !isPlainName(name) || given[0] == ' ' || given[0] == '\t' {
				if strings.HasPrefix(given, "import ") || strings.HasPrefix(given, "from ") {
					b.WriteString(strings.TrimRight(given, "\n") + "\n")
				}
				continue
			}
			if left--; left < 0 {
				break
			}
			b.WriteString(strings.TrimRight(given, "\n") + "\n")
			if !from {
				b.WriteString(words[1] + "__" + name + " = " + name + "\n")
				renames = append(renames, words[1]+"."+name, words[1]+"__"+name)
			}
		}
	}
	if left == mostImported || !a.R.Pay(b.Len()) {
		return program
	}
	if len(renames) > 0 {
		return strings.NewReplacer(renames...).Replace(b.String())
	}
	return b.String()
}

// moduleText is what is known of a module, short of those that are large.
func moduleText(a *invocation.Act, in *interpreter, module, beside string) string {
	for _, dir := range [...]string{"", beside} {
		if dir == "." {
			continue
		}
		if name := written(a, in, path.Join(dir, module)); name != "" && a.R.Pay(invocation.StepCost) {
			if f := a.R.File(a.Path(name)); f != nil && len(f.Content) <= mostImporting {
				return f.Content
			}
		}
	}
	return ""
}

// isPlainName reports whether a text is a name and nothing else.
func isPlainName(s string) bool {
	for i := range len(s) {
		if !invocation.IsNameByte(s[i]) {
			return false
		}
	}
	return s != ""
}
