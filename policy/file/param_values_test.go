package file_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
)

// A parameter means what its values say at first sight, in all forms of them, or is
// refused with what to write.
func TestValuesOfParametersMeanWhatTheySay(t *testing.T) {
	t.Parallel()

	presets := fstest.MapFS{"recommended.yaml": &fstest.MapFile{Data: []byte(`
params:
  git.protected: {of: branches, default: [main]}
  secrets.files: {of: paths, default: [~/.ssh/*]}
  egress.allow: {of: hosts, default: []}
  packages.strangers: {of: pattern, default: x}
policies:
  - name: git-safety
    when: call.effects.exists(e, e.verb == "force-push" && (e.object in params.git.protected || params.git.protected.exists(b, b.endsWith("/") && e.object.startsWith(b))))
    then: block
  - name: sensitive-reads
    when: call.effects.exists(e, e.verb == "read" && e.touches(params.secrets.files) || e.object.matches(params.packages.strangers) && e.verb == "send")
    then: block
  - name: noted-egress
    when: params.egress.allow.size() > 0 && call.urls.exists(u, !params.egress.allow.exists(h, u.host() == h || u.host().endsWith("." + h)))
    then: annotate
`)}}
	type form struct{ value, refused string }
	for _, tc := range []struct {
		param    string
		forms    []form
		noticed  string // by each form that is taken
		harmless string
	}{
		{"git.protected", []form{
			{"env/", ""}, {"env/*", ""}, {"env/**", ""}, {"refs/heads/env/*", ""}, {"heads/env/", ""},
			{"en*", "write the names"}, {"env/*/prod", "write the names"}, {"", "write its name"}, {"env prod", "as git branch lists it"},
		}, "git push -f origin env/prod", "git push -f origin environment"},
		{"git.protected", []form{{"gitops", ""}, {"refs/heads/gitops", ""}, {"heads/gitops", ""}}, "git push -f origin gitops", "git push -f origin gitops2"},
		{"secrets.files", []form{
			{"/etc/acme", ""}, {"/etc/acme/", ""}, {"/etc/acme/**", ""}, {"/etc/acme/*", ""}, {"/etc/*/x", ""},
			{"file:///etc/acme", "write the path alone"}, {"$ACME/x", "write the path"}, {"", "such as ~/keys"},
		}, "cat /etc/acme/x", "cat /etc/acmes"},
		{"secrets.files", []form{
			{"~/acme", ""}, {"~/acme/", ""}, {"**/acme", ""}, {"**/acme/", ""}, {"~/acme/**", ""}, {"$HOME/acme", "write ~/acme"}, {"${HOME}/acme/", "write ~/acme/"},
		}, "cat ~/acme/x", "cat ~/acmes"},
		{"egress.allow", []form{
			{"x.example", ""}, {"X.Example", ""},
			{"*.x.example", "write x.example"}, {".x.example", "write x.example"}, {"https://x.example/a", "write x.example"}, {"x.example:443", "write x.example"},
			{"user@x.example", "write x.example"}, {"*", "write a host"}, {"", "write a host"},
		}, "curl https://y.example/", "curl https://a.x.example/"},
		{"packages.strangers", []form{{"(", "not a regular expression"}}, "", ""},
	} {
		for _, f := range tc.forms {
			set := fmt.Sprintf("{add: [%q]}", f.value)
			if tc.param == "packages.strangers" {
				set = fmt.Sprintf("%q", f.value)
			}
			text := "policies:\n  - preset: recommended\n    params: {" + tc.param + ": " + set + "}\n"
			loaded, err := file.Parse(file.Options{Presets: presets}, "f", []byte(text))
			if f.refused != "" {
				if err == nil || !strings.Contains(err.Error(), "f:3:") || !strings.Contains(err.Error(), f.refused) {
					t.Errorf("%s: %s: got the error %v, which should say %q", tc.param, set, err, f.refused)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %s: %v", tc.param, set, err)
				continue
			}
			for line, want := range map[string]bool{tc.noticed: true, tc.harmless: false} {
				if got := line != "" && says(t, loaded, line); line != "" && got != want {
					t.Errorf("%s: %s: %s: noticed: %v", tc.param, set, line, got)
				}
			}
		}
	}
}

// The values of a list are texts, also where the list is empty by default.
func TestAWrongTypeIsReportedWhereItStands(t *testing.T) {
	t.Parallel()

	_, err := file.Parse(file.Options{}, "f", []byte("policies:\n  - preset: recommended\n    params: {egress.allow: [1, 2]}\n"))
	if err == nil || !strings.Contains(err.Error(), "f:3:29: a value of egress.allow is a whole number, but must be a text") || strings.Contains(err.Error(), "preset:recommended:") {
		t.Errorf("got %v", err)
	}
}

// says reports whether the policies say anything about a command.
func says(t *testing.T, loaded *file.Loaded, line string) bool {
	t.Helper()
	in := &policy.Exchange{Session: policy.Session{Cwd: "/home/u/p", Home: "/home/u"}}
	v := loaded.Set.Decide(t.Context(), in, shell(line), policy.Options{}).Verdict
	return v.Action.Blocks() || v.Policy == "noted-egress"
}

// The presets say of their lists of branches, files and hosts what they are.
func TestThePresetsSayWhatTheirParametersAre(t *testing.T) {
	t.Parallel()

	for _, set := range []string{`git.protected: ["en*"]`, `secrets.files: ["$X/y"]`, `secrets.private: ["$X/y"]`, `persistence.files: ["$X/y"]`, `files.protected: ["$X/y"]`, `git.hosts: ["*"]`, `egress.allow: ["https://x/"]`, `secrets.hosts: "("`} {
		_, err := file.Parse(file.Options{}, "f", []byte("policies:\n  - preset: recommended\n    params: {"+set+"}\n"))
		if err == nil || !strings.HasPrefix(err.Error(), "f:3:") {
			t.Errorf("%s: got %v", set, err)
		}
	}
}

// A directory of a policy's own parameter stands for everything in it, too, so that nothing
// warns of it: of: paths means the same in a declaration and in what sets it.
func TestDeclaredPathsMeanTheirContents(t *testing.T) {
	t.Parallel()

	text := "policies:\n  - name: p\n    params: {kept: {default: [/srv/data, \"~/clients/\"], of: paths}}\n    when: call.effects.exists(e, e.verb == \"delete\" && e.touches(params.kept))\n    then: block\n" +
		"    examples:\n      - {shell: \"rm /srv/data/a\", want: block}\n      - {shell: \"rm -r ~/clients/x\", want: block}\n      - {shell: \"rm /srv/other\", want: allow}\n"
	loaded, err := file.Parse(file.Options{}, "f", []byte(text), "preset:none")
	if err != nil || len(loaded.Warnings) > 0 {
		t.Errorf("%v, %v", err, loaded)
	}
	if _, err := file.Parse(file.Options{}, "f", []byte(strings.Replace(text, "/srv/data,", "\"$X/y\",", 1)), "preset:none"); err == nil || !strings.Contains(err.Error(), "names a variable") {
		t.Errorf("got %v", err)
	}
}
