package shell_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/shell"
)

// changers are how programs change the mode of a file to an expression.
var changers = map[string]string{
	"python":         `python3 -c "import os, stat; os.chmod('/tmp/x', %s)"`,
	"python by name": `python3 -c "import os, stat; os.chmod('/tmp/x', mode=%s)"`,
	"python path":    `python3 -c "import stat; from pathlib import Path; Path('/tmp/x').chmod(%s)"`,
	"perl":           `perl -e "chmod(%s, '/tmp/x')"`,
	"ruby":           `ruby -e "File.chmod(%s, '/tmp/x')"`,
	"php":            `php -r "chmod('/tmp/x', %s);"`,
	"node":           `node -e "require('fs').chmodSync('/tmp/x', %s)"`,
}

// A mode is what the program computes, however it is written.
func TestModesAreComputed(t *testing.T) {
	for _, bits := range []int{0o755, 0o777, 0o4755, 0o2755, 0o6755, 0o1777, 0o511} {
		for language, program := range changers {
			octal := fmt.Sprintf("0o%o", bits)
			if language == "perl" || language == "php" {
				octal = fmt.Sprintf("0%o", bits)
			}
			forms := []string{octal, fmt.Sprint(bits), fmt.Sprintf("0x%x", bits), fmt.Sprintf("%s | %#o", strings.Replace(octal, "755", "700", 1), bits&0o777), fmt.Sprintf("%d + %d", bits-5, 5)}
			switch {
			case strings.HasPrefix(language, "python"), language == "node":
				forms[3] = fmt.Sprintf("0o%o | 0o%o", bits&^0o7, bits&0o7)
			case language == "ruby":
				forms[3] = fmt.Sprintf("0o%o | 0%o", bits&^0o7, bits&0o7)
			default:
				forms[3] = fmt.Sprintf("0%o | 0%o", bits&^0o7, bits&0o7)
			}
			switch language {
			case "python", "python path":
				forms = append(forms, fmt.Sprintf("int('%o', 8)", bits), fmt.Sprintf("int('0o%o', 0)", bits))
			case "perl":
				forms = append(forms, fmt.Sprintf("oct('%o')", bits))
			case "ruby":
				forms = append(forms, fmt.Sprintf("'%o'.to_i(8)", bits), fmt.Sprintf("'%o'.oct", bits))
			case "php":
				forms = append(forms, fmt.Sprintf("octdec('%o')", bits), fmt.Sprintf("intval('%o', 8)", bits))
			case "node":
				forms = append(forms, fmt.Sprintf("parseInt('%o', 8)", bits))
			}
			for _, form := range forms {
				line := fmt.Sprintf(program, form)
				r := shell.Read(line, invocation.Setting{Place: effect.Place{Cwd: "/home/u", Home: "/home/u"}})
				i := slices.IndexFunc(r.Effects, func(e effect.Effect) bool { return e.Verb == effect.Mode })
				if i < 0 || strings.TrimLeft(r.Effects[i].Content, "0") != fmt.Sprintf("%o", bits) {
					t.Errorf("%s, %o: %s: %+v", language, bits, line, r.Effects)
				}
				grants := slices.ContainsFunc(r.Effects, func(e effect.Effect) bool { return e.Verb == effect.Grant })
				if want := bits&0o6000 != 0; grants != want {
					t.Errorf("%s grants: %v, want %v", line, grants, want)
				}
			}
		}
	}
}

func TestAModeThatIsNotKnownIsUnknown(t *testing.T) {
	lines := []string{`python3 -c "import os; os.chown('/tmp/x', u, g)"`, `perl -e "chown(\$u, \$g, '/tmp/x')"`, `php -r "chown('/tmp/x', \$u);"`, `ruby -e "FileUtils.chown(u, g, '/tmp/x')"`}
	for _, program := range changers {
		lines = append(lines, fmt.Sprintf(program, "m"), fmt.Sprintf(program, "f(1)"))
	}
	for _, line := range lines {
		r := shell.Read(line, invocation.Setting{Place: effect.Place{Cwd: "/home/u", Home: "/home/u"}})
		if !slices.ContainsFunc(r.Effects, func(e effect.Effect) bool { return e.Verb == effect.Mode && effect.Expands(e.Content) }) || !slices.Contains(r.Unknown, invocation.Variable) {
			t.Errorf("%s: %+v, unknown %q", line, r.Effects, r.Unknown)
		}
	}
	if got := effectsIn(`python3 -c "import os, stat; os.chmod('/tmp/x', os.stat('/tmp/x').st_mode | stat.S_ISUID)"`); !slices.Contains(got, "grant setuid /tmp/x") {
		t.Errorf("a bit that is added: %q", got)
	}
	for _, line := range []string{"mkdir -m 777 a", "mkdir -pm777 a/b", "mkdir --mode=777 a"} {
		if got := effectsIn(line); !slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, "mode ") }) {
			t.Errorf("%s: %q", line, got)
		}
	}
}
