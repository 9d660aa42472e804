package shell_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/shell"
)

func verbsOf(line string) []effect.Verb {
	r := shell.Read(line, invocation.Setting{Place: effect.Place{Cwd: "/home/u/project", Home: "/home/u"}})
	var verbs []effect.Verb
	for i := range r.Effects {
		verbs = append(verbs, r.Effects[i].Verb)
	}
	return verbs
}

// Asking for help with a value that says no, or behind "--", leaves what every described
// program does as it is, with another user's rights, too.
func TestWhatDoesNotAskForHelpIsJudged(t *testing.T) {
	c, tried := command.Builtin(), 0
	seen := map[*command.Program]bool{}
	for _, name := range c.Names() {
		p := c.Program(name)
		if seen[p] || name == "dotenv" { // dotenv list takes any word for the name of a variable
			continue
		}
		seen[p] = true
		for _, x := range p.Examples() {
			if strings.ContainsAny(x.Run, "|;&<>()$`'\"\n\\*") || strings.Contains(x.Run, " -- ") || !strings.HasPrefix(x.Run, name+" ") {
				continue
			}
			before := verbsOf("sudo " + x.Run)
			if len(before) == 0 {
				continue
			}
			for _, help := range []string{"--help=false", "--help=0", `--help=""`, "--help=FALSE", "--help --help=false", "--help --no-help"} {
				tried++
				after := verbsOf("sudo " + x.Run + " " + help)
				for _, verb := range before {
					if !slices.Contains(after, verb) {
						t.Errorf("%s %s: %s is lost, there is only %v", x.Run, help, verb, after)
					}
				}
			}
		}
	}
	if tried < 2000 {
		t.Errorf("only %d command lines were tried", tried)
	}
}

func TestHelpAndDryRunsMustBeCertain(t *testing.T) {
	for _, line := range []string{
		"kubectl delete ns prod -n --help", "kubectl delete ns prod --dry-run=client --dry_run=none", "kubectl --help=false delete ns prod",
		"rm -rf src --help", "python3 -c 'import os; os.remove(\"a\")' --help", "git commit --help --no-verify --help=false",
		"git push -n --no-dry-run -f origin main", "git clean -fdx -n --no-dry-run", "npm publish --dry-run --no-dry-run", "npm publish --dry-run false",
		"git rm -r --dry-run --no-dry-run src", "rsync -a --delete --dry-run --no-dry-run e/ /srv/", "rsync -a --delete --dry-run=0 e/ /srv/",
		"bash -c 'rm -rf src' -n", "bash --rcfile -n -c 'rm -rf src'", "bash -in -c 'rm -rf src'", "bash -n +n -c 'rm -rf src'", "nu -n -c 'rm -rf src'",
		"aws ec2 terminate-instances --instance-ids i-1 --profile help", "crontab a --no-l -l", "kill -9 -1 --no-list --list",
		"git -c man.viewer=x -c man.x.cmd='rm -rf src' push --help", "git -c help.browser='rm -rf src' -c help.format=web push --help", "git -c core.pager='rm -rf src' -p push --help",
		"git -c web.browser=x -c browser.x.cmd='rm -rf src' help push",
	} {
		if len(verbsOf(line)) == 0 {
			t.Errorf("%s has no effect", line)
		}
	}
	for _, line := range []string{
		"kubectl delete ns prod --help", "rm --help", "git push --help", "docker volume rm --help", "helm uninstall web --help", "bash -n a.sh", "bash -en -c 'rm -rf src'", "make -n deploy",
		"rsync -avn --delete e/ /srv/", "rsync -a --delete --dry-run e/ /srv/", "git clean -fdxn", "aws ec2 help", "aws ec2 terminate-instances help",
	} {
		for _, verb := range verbsOf(line) {
			if verb != effect.Read {
				t.Errorf("%s: %s", line, verb)
			}
		}
	}
}

func effectsIn(line string) []string {
	r := shell.Read(line, invocation.Setting{Place: effect.Place{Cwd: "/home/u/project", Home: "/home/u"}})
	return effectsOf(&r)
}
