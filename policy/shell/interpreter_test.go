package shell_test

import (
	"slices"
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/shell"
)

// An option that the description of an interpreter does not have may take the next word
// or not: in either case the program behind it is read.
func TestProgramsBehindOptionsThatAreNotKnown(t *testing.T) {
	programs := map[string]string{
		"python3": `-c 'import shutil; shutil.rmtree("/data")'`,
		"perl":    `-e 'system("rm -rf /data")'`,
		"ruby":    `-e 'system("rm -rf /data")'`,
		"php":     `-r 'system("rm -rf /data");'`,
		"lua":     `-e 'os.execute("rm -rf /data")'`,
		"Rscript": `-e 'system("rm -rf /data")'`,
		"node":    `-e 'require("child_process").execSync("rm -rf /data")'`,
	}
	for name, program := range programs {
		for _, options := range []string{"", "--never-heard-of ", "--never-heard-of 2000 ", "--never-heard-of=2000 ", "--never-heard-of 1 --nor-of-this 2 "} {
			run := name + " " + options + program
			r := shell.Read(run, invocation.Setting{Place: effect.Place{Cwd: "/home/u/project", Home: "/home/u"}})
			if got := effectsOf(&r); !slices.Contains(got, "delete /data, and everything in it") {
				t.Errorf("%s\n got %q", run, got)
			}
		}
	}
}

// What follows the program or the module of Python is its own, whatever it looks like.
func TestArgumentsOfProgramsAreNoOptions(t *testing.T) {
	for _, run := range []string{
		`python3 -m pip install -c constraints.txt a`,
		`python3 -c 'print(1)' -m shutil -c 'import os; os.remove("/data")'`,
	} {
		r := shell.Read(run, invocation.Setting{Place: effect.Place{Cwd: "/home/u/project", Home: "/home/u"}})
		if got := effectsOf(&r); slices.ContainsFunc(got, func(s string) bool { return s == "delete /data" }) {
			t.Errorf("%s\n got %q", run, got)
		}
	}
}
