package shell_test

import (
	"slices"
	"testing"

	"github.com/sluice-project/sluice/policy/shell"
)

// one returns the last command of a text.
func one(t *testing.T, text string) *shell.Command {
	t.Helper()
	commands, _ := shell.Split(text)
	if len(commands) == 0 {
		t.Fatalf("%q has no command", text)
	}
	return &commands[len(commands)-1]
}

func TestFlagsHaveValues(t *testing.T) {
	cases := []struct{ name, text, flag, want string }{
		{"with =", "kubectl --context=prod get", "context", "prod"},
		{"next word", "kubectl --context prod get", "context", "prod"},
		{"dashes given", "kubectl --context prod get", "--context", "prod"},
		{"short", "kubectl -n prod get", "n", "prod"},
		{"short with its value", "kubectl -nprod get", "-n", "prod"},
		{"one dash, long", "terraform -chdir=a destroy", "chdir", "a"},
		{"after the subcommand", "kubectl get pods --context prod", "context", "prod"},
		{"the last one counts", "kubectl --context a --context=b get", "context", "b"},
		{"absent", "kubectl get", "context", ""},
		{"no value", "git push --force --tags", "force", ""},
		{"a longer flag", "git push --force-with-lease=x", "force", ""},
		{"after the end of flags", "a -- --context prod", "context", ""},
		{"at the end", "a --context", "context", ""},
		{"no name", "a --context x", "--", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := one(t, c.text).Flag(c.flag); got != c.want {
				t.Errorf("%s of %q is %q", c.flag, c.text, got)
			}
		})
	}
}

func TestCommandsHaveFlags(t *testing.T) {
	cases := []struct {
		name, text, flag string
		want             bool
	}{
		{"long", "git push --force", "--force", true},
		{"long without dashes", "git push --force", "force", true},
		{"with a value", "git push --force=true", "--force", true},
		{"short", "rm -r x", "-r", true},
		{"in a cluster", "rm -rf x", "-f", true},
		{"in a cluster without dashes", "rm -fr x", "r", true},
		{"long is no cluster", "rm --rf x", "-r", false},
		{"a longer flag", "git push --force-with-lease", "--force", false},
		{"after the end of flags", "rm -- -r", "-r", false},
		{"before the end of flags", "rm -r -- x", "-r", true},
		{"a dash is no flag", "cat -", "-", false},
		{"long with one dash", "find . -delete", "-delete", true},
		{"two dashes are asked for", "x -force", "--force", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := one(t, c.text).Has(c.flag); got != c.want {
				t.Errorf("%q has %s: %v", c.text, c.flag, got)
			}
		})
	}
}

func TestSubcommandsAreFoundBehindFlags(t *testing.T) {
	cases := map[string]string{
		"git push":                           "push",
		"git -C /x -c a=b --no-pager push":   "push",
		"kubectl --context prod delete ns a": "delete",
		"kubectl -n=prod delete ns a":        "delete",
		"kubectl -nprod delete":              "delete",
		"docker --host tcp://x rm y":         "rm",
		"unknown --flag value sub":           "value",
		"ls -la":                             "",
		"x -- -y":                            "-y",
	}
	for text, want := range cases {
		if got := one(t, text).Sub; got != want {
			t.Errorf("%q does %q, want %q", text, got, want)
		}
	}
}

func TestOperandsLeaveFlagsOut(t *testing.T) {
	c := one(t, "tar -xvf a.tar --directory d b -- -c")
	if got := c.Operands("f", "directory"); !slices.Equal(got, []string{"b", "-c"}) {
		t.Errorf("operands %q", got)
	}
}

func TestVariablesBelongToTheirCommand(t *testing.T) {
	commands, _ := shell.Split(`A=1 env B=2 sh -c 'C=3 x'; y`)
	x, y := commands[1], commands[2]
	if len(x.Env) != 3 || x.Env["A"] != "1" || x.Env["B"] != "2" || x.Env["C"] != "3" || y.Env != nil {
		t.Errorf("x has %v, y has %v", x.Env, y.Env)
	}
	if !x.Is("a", "x") || x.Is("y") || x.Is() {
		t.Error("a command is not what it is")
	}
}

func TestInputIsKept(t *testing.T) {
	if c := one(t, "apply_patch <<'EOF'\n*** a\nEOF\n"); c.Input != "*** a\n" {
		t.Errorf("input %q", c.Input)
	}
	if c := one(t, "cat <<< 'a b'"); c.Input != "a b\n" {
		t.Errorf("input %q", c.Input)
	}
}
