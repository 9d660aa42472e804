package rule_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
)

// Who asks for a program means every version of it, and no other program.
func TestProgramsAreKnownByTheirNamesWithAVersion(t *testing.T) {
	t.Parallel()

	for _, tc := range []struct {
		name, command string
		want          bool
	}{
		{"python", "python x.py", true}, {"python", "python3 x.py", true}, {"python", "/usr/bin/python3.12 x.py", true}, {"python3", "python3.11 x.py", true},
		{"python3", "python x.py", false}, {"python3.1", "python3.11 x.py", false}, {"python2", "python3 x.py", false}, {"python", "ipython3", false},
		{"pip", "pip3.12 install x", true}, {"pip3", "pip install x", false}, {"php", "php8.2 x.php", true}, {"lua", "lua5.4 x.lua", true}, {"ls", "ls2", false},
		{"kubectl", "./kubectl1.29 get pods", true}, {"kubectl", "/opt/bin/kubectl-1.29 get pods", true}, {"terraform", "/opt/tf/terraform1.5 destroy", true},
		{"terraform", "terraform_1.5.7 destroy", true}, {"terraform", "./terraform-v1.5.7 destroy", true}, {"kubectl", "/usr/bin/KUBECTL get pods", true},
		{"node", "node20 x.js", true}, {"pip", "/usr/bin/pip3.12 install x", true}, {"sort", "./sort_2 x", false}, {"terraform", "./myterraform1.5 x", false},
	} {
		for _, form := range []string{`call.commands.exists(c, c.is(%q))`, `call.commands.exists(c, c.is("x") || c.is("y", %q) && c.name != "z")`, `call.commands.exists(c, c.is([%q]))`, `!call.commands.all(c, !c.is(%q))`} {
			p := compile(t, fmt.Sprintf(form, tc.name))
			got, _, err := p.Match(policy.NewSubject(nil, bash(tc.command)))
			if err != nil || (got == rule.True) != tc.want {
				t.Errorf("%s for %s: %v, %v", fmt.Sprintf(form, tc.name), tc.command, got, err)
			}
			if open := rule.NewGates([]*rule.Program{p}).Open(policy.NewSubject(nil, bash(tc.command))); tc.want && open == 0 {
				t.Errorf("%s for %s is not even asked", fmt.Sprintf(form, tc.name), tc.command)
			}
		}
	}
}

// Names that are true of less than they seem to be are warned of, with what to write.
func TestUnclearNamesAreWarnedOf(t *testing.T) {
	t.Parallel()

	for source, want := range map[string]string{
		`call.commands.exists(c, c.is("sudo"))`:                                           "write c.sudo",
		`call.commands.exists(c, c.is("ls", "doas"))`:                                     "doas is taken off the command that it runs",
		`call.commands.exists(c, c.is("timeout"))`:                                        `c.text.matches("\\btimeout\\s")`,
		`call.commands.exists(c, c.is(["xargs"]))`:                                        "xargs is taken off",
		`call.commands.exists(c, c.name == "nohup")`:                                      "nohup is taken off",
		`call.commands.exists(c, c.name == "python")`:                                     `write c.is("python")`,
		`call.commands.exists(c, c.name in ["python", "python3"])`:                        "",
		`call.commands.exists(c, c.is("env", "printenv") || c.is("ls", "ssh", "docker"))`: "",
		`call.commands.exists(c, c.is("kubctl"))`:                                         `did you mean "kubectl"?`,
		`call.commands.exists(c, c.name == "terrafrom")`:                                  `did you mean "terraform"?`,
		`call.commands.exists(c, c.is("acmectl", "gti", "k", "deploy.sh"))`:               "",
		`call.commands.exists(c, c.name == "kubectl")`:                                    `write c.is("kubectl")`,
		`call.commands.exists(c, c.name in ["k"])`:                                        `write c.is("k")`,
		`call.commands.exists(c, c.name in ["k", "kubectl"])`:                             "",
		`call.commands.exists(c, c.name == "git")`:                                        "",
		`call.effects.exists(e, e.how == "k")`:                                            `write e.how == "kubectl"`,
		`call.effects.exists(e, e.how in ["git", "tf"])`:                                  `write e.how == "terraform"`,
		`call.effects.exists(e, e.how == "kubctl")`:                                       `did you mean "kubectl"?`,
		`call.effects.exists(e, e.how in ["kubectl", "git", "WebFetch"])`:                 "",
		`call.commands.exists(c, c.text.contains("kubectl delete"))`:                      `write call.commands.exists(c, c.is("kubectl") && c.sub == "delete")`,
		`call.commands.exists(c, c.text.matches("git\\s+push.*--force"))`:                 `c.is("git") && c.sub == "push" && c.has("--force")`,
		`call.raw.contains("rm -rf")`:                                                     `c.is("rm") && c.has("-rf")`,
		`call.commands.exists(c, c.text.contains("| sh"))`:                                "",
		`call.commands.exists(c, c.text.matches("\\bsudo\\s"))`:                           "",
		`call.raw.contains("my git password") || call.raw.contains("git: no")`:            "",
		`call.name.startsWith("mcp__github")`:                                             `write call.server == "github", or`,
		`call.name.matches("^mcp__github__create.*")`:                                     `write call.server == "github" && call.name.startsWith("create")`,
		`call.name.matches("mcp__.*")`:                                                    `write call.server != ""`,
		`call.name.contains("github__")`:                                                  `write call.server == "SERVER"`,
		`call.name.startsWith("create_")`:                                                 "",
		`call.raw_name.startsWith("mcp__")`:                                               "",
		`call.name == "shell"`:                                                            `write call.kind == "shell"`,
		`call.name in ["terminal"]`:                                                       `write call.kind == "shell"`,
		`call.name == "fetch"`:                                                            `write call.kind == "fetch"`,
		`call.name == "Bash" || call.name == "weather" || call.raw_name == "shell"`:       "",

		`call.commands.exists(c, c.is("helm") && c.flag("context") == "prod")`:              "did you mean kube-context?",
		`call.commands.exists(c, c.is("aws") && c.flag("foobar") == "x")`:                   "no option of aws that is known has the name foobar (sluice policy program aws lists them",
		`call.commands.exists(c, c.is("kubectl") && c.flag("contxt") == "x")`:               "did you mean context?",
		`call.commands.exists(c, c.is("docker") && c.has("--frobnicate"))`:                  "no option of docker that is known has the name --frobnicate",
		`call.commands.exists(c, c.is("docker") && c.has("--privileged"))`:                  "",
		`call.commands.exists(c, c.is("rm") && c.has("-rf") || c.is("git") && c.has("-C"))`: "",
		`call.commands.exists(c, c.is("unheard-of") && c.has("--frobnicate"))`:              "",
		`call.commands.exists(c, c.is("git") && c.sub == "comit")`:                          `did you mean "commit"?`,
		`call.commands.exists(c, c.is("kubectl") && c.sub in ["apply", "delte"])`:           `did you mean "delete"?`,
		`call.commands.exists(c, c.is("git") && c.sub in ["commit", "push", "own-alias"])`:  "",
		`call.commands.exists(c, c.is("unheard-of") && c.sub == "comit")`:                   "",

		`call.effects.exists(e, e.touches(["~/code"]))`:               `write "~/code/**" for both`,
		`call.effects.exists(e, e.touches(["/srv/data"]))`:            `write "/srv/data/**" for both`,
		`call.effects.exists(e, e.carries(["/etc/**", "~/clients"]))`: `write "~/clients/**" for both`,
		`call.effects.exists(e, e.touches(["~/code", "~/code/**"]))`:  "",
		`call.effects.exists(e, e.touches(["/etc/passwd", "~/.ssh/id_rsa", "/dev/sda", "~/.aws/credentials", "/usr/bin/sudo", "~", "/", "**/node_modules", "~/.bashrc"]))`: "",
		`call.effects.exists(e, e.outside(["~/code"]) || e.within(["/srv/data"]))`:                                                                                         "",
	} {
		got := warningsOf(t, source)
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", source, got, want)
		}
	}
}

// What is asked of an argument that is not there is false, and its negation true: the
// condition is decided, also for allow lists.
func TestAnElementThatIsNotThereIsNothing(t *testing.T) {
	t.Parallel()

	asks := []string{
		`c.args[%d] == "install"`, `"install" == c.args[%d]`, `c.args[%d].startsWith("in")`, `c.args[%d].endsWith("l")`, `c.args[%d].contains("st")`, `c.args[%d].matches("^in")`,
		`c.args[%d] in ["install", "i"]`, `c.args[%d].under("install")`, `c.args[%d].glob("inst*")`, `c.args[%d].host() == "install"`, `c.args[%d] + "" == "install"`, `c.args[%d].size() == 7`, `c.args[%d].lowerAscii() == "install"`, `["install"].exists(x, x == c.args[%d])`,
	}
	for _, ask := range asks {
		for i, command := range []string{"pwd", "npm", "npm install", "npm -g install", "$X", "pwd; npm install"} {
			for at := range 3 {
				here := fmt.Sprintf(ask, at)
				some, all, none := compile(t, "call.commands.exists(c, "+here+")"), compile(t, "call.commands.all(c, "+here+")"), compile(t, "call.commands.exists(c, !("+here+"))")
				s := policy.NewSubject(&policy.Exchange{Session: policy.Session{Cwd: "/w", Home: "/h"}}, bash(command))
				want := map[int]int{2: 0, 3: 1, 5: 0}
				n, has := want[i]
				has = has && n == at
				got, _, err := some.Match(s)
				if err != nil || command != "$X" && (got == rule.True) != has || command != "$X" && got == rule.Unknown {
					t.Errorf("%s for %s: %v, %v", here, command, got, err)
				}
				if command == "$X" {
					continue
				}
				one := command != "pwd; npm install"
				if got, _, err := all.Match(s); err != nil || (got == rule.True) != (has && one) {
					t.Errorf("all %s for %s: %v, %v", here, command, got, err)
				}
				if got, _, err := none.Match(s); err != nil || (got == rule.True) != (!has || !one) {
					t.Errorf("not %s for %s: %v, %v", here, command, got, err)
				}
			}
		}
	}
}

// A condition on the name of a tool or of its server is the same for every spelling of
// either, and of no other tool; the name as the model wrote it is exact.
func TestTheSpellingOfToolsAndServersDoesNotCount(t *testing.T) {
	t.Parallel()

	spelled := []string{"create_run", "create-run", "CREATE_RUN", "CreateRun", "createRun", "Create-Run", "createrun", "cREATE_rUN"}
	servers := []string{"tfc", "TFC", "t-f-c", "t_f_c"}
	holds := func(source, name string, want bool) {
		t.Helper()
		got, what, err := compile(t, source).Match(called(name, `{"tool": "Create_Run"}`))
		if err != nil || (got == rule.True) != want {
			t.Errorf("%s for %s: %s (%s, %v)", source, name, got, what, err)
		}
	}
	for _, listed := range spelled {
		conditions := []string{
			`call.name == %q`, `%q == call.name`, `call.name in ["x", %q]`, `!(call.name != %q)`, `call.name in {%q: 1}`,
			`["x", %q].exists(n, n == call.name)`, `["x", %q].exists(n, call.name == n)`, `call.name == (true ? %q : "x")`,
		}
		for _, called := range spelled {
			for _, condition := range conditions {
				holds(fmt.Sprintf(condition, listed), called, true)
				holds(fmt.Sprintf(condition, listed), "mcp__tfc__"+called, true)
				holds(fmt.Sprintf(condition, listed), called+"s", false)
			}
			for _, server := range servers {
				holds(fmt.Sprintf(`call.server == %q && call.name == %q`, server, listed), "mcp__TFC__"+called, true)
				holds(fmt.Sprintf(`call.server in [%q]`, server), "mcp__TFC__"+called, true)
				holds(fmt.Sprintf(`call.server != %q`, server), "mcp__TFD__"+called, true)
			}
			holds(`call.name == call.args.tool`, called, true)
			holds(fmt.Sprintf(`call.raw_name == %q`, listed), called, listed == called)
		}
	}
	holds(`call.name == "bash"`, "Bash", true)
	holds(`call.server == ""`, "Bash", true)
}
