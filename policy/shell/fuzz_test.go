package shell_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/shell"
)

// A command's text is a part of the source, or of the argument or input that
// was split: nothing is made up.
func FuzzSplit(f *testing.F) {
	for _, seed := range []string{
		"", "ls -la", "a; b && c | d", `sh -c "sh -c 'rm $x'"`, "echo $(a `b` $((1+2)) ${x:-$(y)})",
		"cat <<E; bash <<'F'\n$(x)\nE\nrm\nF\n", "case a in b) c;; esac", "for x in a; do b; done | sh",
		"[[ a && b ]]", "f() { x; }", "a=(b $(c))", "sudo -u x env A=1 timeout 5 rm -rf $'\\x41'", "find . -exec sh -c x {} \\;",
		"ssh h 'a; b'", "((((((((((", "${${${${", "a=(a=(a=(a=(", "$(($(($((", "\\", "'", "\"$(\"", "<<", "<<<", ">&", "&>>", "x=1 >y",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		commands, unknown := shell.Split(text)
		if len(commands) > shell.MaxCommands {
			t.Fatalf("%d commands", len(commands))
		}
		if slices.Contains(unknown, "") || len(slices.Compact(slices.Sorted(slices.Values(unknown)))) != len(unknown) {
			t.Fatalf("reasons %q", unknown)
		}
		for i := range commands {
			c := &commands[i]
			if !strings.Contains(text, c.Text) && !partOf(c.Text, commands) && !strings.ContainsAny(text, "`\\") {
				t.Fatalf("%q is not in %q", c.Text, text)
			}
			if c.Name == "" && c.Text == "" {
				t.Fatalf("an empty command in %q", text)
			}
			c.Has("-x")
			c.Flag("x")
			c.Operands("x")
		}
		argv := strings.Fields(text)
		shell.FromArgs(argv)
	})
}

func partOf(text string, commands []shell.Command) bool {
	for i := range commands {
		c := &commands[i]
		if strings.Contains(strings.Join(c.Args, " "), text) || strings.Contains(c.Input, text) {
			return true
		}
		for _, arg := range c.Args {
			if strings.Contains(arg, text) {
				return true
			}
		}
	}
	return false
}
