package command

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Every name of an option stands for all others, in every program that has it, and with a
// value in every way in which one can be given: also behind a letter without a value in the
// same word.
func TestOptionsHaveAllTheirNamesInEveryForm(t *testing.T) {
	t.Parallel()

	tried := 0
	for _, name := range Builtin().Names() {
		p := Builtin().Program(name)
		if p.syntax.slash || p.syntax.oneDash || p.syntax.separated || len(p.commands) > 1 {
			continue
		}
		letter := "" // one without a value
		for other, f := range p.every {
			if len(other) == 1 && f.arity == plain && (letter == "" || other < letter) && 'A' <= other[0] && !f.ends {
				letter = other
			}
		}
		for option, f := range p.every {
			if f.arity != valued || f.ends || f.rest || f.then != nil || strings.ContainsAny(option, "=+") {
				continue
			}
			forms := [][]string{{"--" + option, "VALUE"}, {"--" + option + "=VALUE"}}
			if len(option) == 1 {
				forms = [][]string{{"-" + option, "VALUE"}, {"-" + option + "VALUE"}}
				if _, own := p.every[letter+option]; letter != "" && !own { // -LA can be an option of its own
					forms = append(forms, []string{"-" + letter + option, "VALUE"}, []string{"-" + letter + option + "VALUE"})
				}
			}
			for _, args := range forms {
				for _, asked := range f.names {
					tried++
					if p.every[asked] != f {
						continue
					}
					got, _ := Builtin().Options(name, args, asked)
					if len(got) != 1 || got[0].Value != "VALUE" || got[0].Maybe || got[0].At != len(args)-1 {
						t.Errorf("%s %v: the option %s is %+v", name, args, asked, got)
					}
				}
			}
		}
	}
	if tried < 3000 {
		t.Errorf("only %d options were tried", tried)
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()

	for _, tc := range []struct{ line, option, want string }{
		{"git push -f origin", "--force", "-"},
		{"git push --forc origin", "force", "-"},
		{"git -C x push --force", "f", "-"},
		{"git push --no-such x", "--no-such", "x"},
		{"git push --no-such", "--no-such", "-"},
		{"git push --no-such -f", "--force", "-?"},
		{"rm x -- -r", "-r", ""},
		{"git commit -am WIP", "message", "WIP"},
		{"git commit -m --amend", "--amend", ""},
		{"git commit -m --amend", "--message", "--amend"},
		{"curl -sX DELETE https://x.example", "request", "DELETE"},
		{"curl -sXDELETE https://x.example", "request", "DELETE"},
		{"docker run -itv /:/host alpine", "volume", "/:/host"},
		{"docker run -v /a:/a alpine cmd -v x", "volume", "/a:/a"},
		{"docker run alpine cmd -v x --privileged", "privileged", ""},
		{"docker --no-such run -v /a:/a alpine cmd -v x", "volume", "/a:/a"},
		{"docker compose -f a.yaml up -d", "file", "a.yaml"},
		{"kubectl exec -itn prod web", "namespace", "prod"},
		{"kubectl exec web -- ls -n x", "namespace", ""},
		{"psql -Atqh pg-prod-1", "host", "pg-prod-1"},
		{"tar -czf /srv/x .", "file", "/srv/x"},
		{"tar czf /srv/x .", "file", "/srv/x"},
		{"dd if=/dev/zero of=x", "if", "/dev/zero"},
		{"terraform -chdir=x plan -var a=b", "var", "a=b"},
		{"git-push -f origin", "force", "-"},
		{"rm -Zf x", "force", "-?"},
		{"mytool -sX DELETE x", "X", "DELETE?"},
		{"mytool -sXDELETE x", "X", "DELETE?"},
		{"mytool -XDELETE x", "X", "DELETE"},
		{"mytool -I/usr/lib x", "l", ""},
		{"mytool -Dkey=name x", "n", ""},
		{"mytool --name x --name=y", "name", "x y"},
		{"mytool --name --name=y", "name", "- y"},
		{"mytool -name x", "name", "x"},
		{"mytool -name x", "--name", ""},
		{"mytool -v -- --name x", "name", ""},
	} {
		words := strings.Fields(tc.line)
		options, _ := Builtin().Options(words[0], words[1:], tc.option)
		var got []string
		for _, o := range options {
			text := "-"
			if o.Valued {
				text = o.Value
			}
			if o.Maybe {
				text += "?"
			}
			got = append(got, text)
		}
		if strings.Join(got, " ") != tc.want {
			t.Errorf("%s: %s: got %q, want %q", tc.line, tc.option, strings.Join(got, " "), tc.want)
		}
	}
}

// An option that is not known may take the word behind it. Wherever it stands, the words
// that can then be the subcommand are all found.
func TestSubcommands(t *testing.T) {
	t.Parallel()

	for _, tc := range []struct{ line, want string }{
		{"kubectl --context prod-eu --unknown get delete pod x", "get delete"},
		{"kubectl --unknown get pods", "get"},
		{"kubectl --unknown x get pods", "get"},
		{"kubectl -n x --unknown=1 delete pod", "delete"},
		{"git --unknown status push", "status push"},
		{"git -C status push", "push"},
		{"mytool --unknown a b", "a b"},
		{"mytool --unknown=1 a b", "a"},
		{"mytool a --unknown b", "a"},
		{"mytool -v", ""},
		{"mytool", ""},
	} {
		words := strings.Fields(tc.line)
		if got := strings.Join(Builtin().Subcommands(words[0], words[1:]), " "); got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.line, got, tc.want)
		}
	}
	for _, unknown := range []string{"--unknown", "-?", "--context x --unknown"} {
		for _, first := range []string{"get", "logs", "describe"} {
			line := fmt.Sprintf("%s %s delete pod x", unknown, first)
			if got := Builtin().Subcommands("kubectl", strings.Fields(line)); !slices.Equal(got, []string{first, "delete"}) {
				t.Errorf("kubectl %s: got %q", line, got)
			}
		}
	}
}

// Names with a vertical line between them are those of one program, others only have the
// same description.
func TestNamesOfOneProgram(t *testing.T) {
	t.Parallel()

	own, err := Parse("own.yaml", "ship|shipit, other:\n  effects:\n    - apply: x\nkubectl|mykube:\n  effects:\n    - apply: y\n", Builtin())
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ name, want string }{
		{"kubectl", "k kubecolor kubectl mykube"},
		{"kubecolor", "k kubecolor kubectl"},
		{"mykube", "kubectl mykube"},
		{"shipit", "ship shipit"},
		{"other", "other"},
		{"nothing", "nothing"},
		{"podman", "podman"},
		{"gtar", "bsdtar gtar tar"},
	} {
		if got := strings.Join(slices.Sorted(slices.Values(own.SameAs(tc.name))), " "); got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.name, got, tc.want)
		}
	}
}
