package shell

import (
	"slices"
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// A file is shown by whatever is given it and prints what it is given.
func TestFilesThatAreShownOnTheWay(t *testing.T) {
	for _, c := range []struct {
		text  string
		shows bool
	}{
		{"python3 -m json.tool ~/.docker/config.json", true},
		{"cmake -E cat ~/.ssh/id_rsa", true},
		{"git commit -F ~/.ssh/id_rsa", true},
		{"nix eval --expr 'builtins.readFile /home/u/.ssh/id_rsa'", true},
		{"terraform console <<< 'file(\"/home/u/.ssh/id_rsa\")'", true},
		{"helm template a . --set-file k=/home/u/.ssh/id_rsa", true},
		{"kubectl create secret generic x --from-file=/home/u/.ssh/id_rsa --dry-run=client -o yaml", true},
		{"julia -e 'print(read(joinpath(homedir(),\".ssh\",\"id_rsa\"),String))'", true},
		{"tclsh <<< 'puts [read [open $env(HOME)/.ssh/id_rsa]]'", true},
		{"unheard-of ~/.ssh/id_rsa", true},
		{"keychain ~/.ssh/id_rsa", false},
		{"unheard-of -i ~/.ssh/id_rsa.pub", false},
		{"helm install a . --set-file k=/home/u/.ssh/id_rsa", false},
		{"kubectl create secret generic x --from-file=/home/u/.ssh/id_rsa", false},
		{"ssh -i ~/.ssh/id_rsa host", false},
	} {
		r := Read(c.text, invocation.Setting{Place: effect.Place{Cwd: "/home/u/p", Home: "/home/u"}})
		if got := slices.ContainsFunc(r.Effects, func(e effect.Effect) bool { return e.Verb == effect.Read && e.Shown }); got != c.shows {
			t.Errorf("%s\n shows %t: %q", c.text, got, said(r))
		}
	}
}
