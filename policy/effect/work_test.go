package effect_test

import (
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
)

func TestProjectsAreTakenOutOfPaths(t *testing.T) {
	t.Parallel()
	set := effect.NewPaths([]string{"~/Documents/**", "/mnt/?/Users/**", "!./**"})
	shop := effect.Place{Cwd: "/mnt/c/Users/anna/src/shop", Home: "/home/anna"}
	for _, tc := range []struct {
		object string
		wide   bool
		at     effect.Place
		want   bool
	}{
		{"/mnt/c/Users/anna/src/shop/dist", true, shop, false},
		{"/mnt/c/users/anna/src/shop/dist", true, shop, false},
		{"/mnt/c/Users/anna/src/shop/.next/a.log", false, shop, false},
		{"/mnt/c/Users/anna/src/shop/*.log", false, shop, false},
		{"/mnt/c/Users/anna/src/shop/$X", true, shop, true},
		{"/mnt/c/Users/anna/src/shop", true, shop, true},
		{"/mnt/c/Users/anna/src/shop2", true, shop, true},
		{"/mnt/c/Users/*/src/shop/dist", true, shop, true},
		{"/mnt/c/Users/anna/src", true, shop, true},
		{"/mnt/c/Users/anna/Documents/a", false, shop, true},
		{"/mnt/c/Users/anna/a", false, effect.Place{Cwd: "/mnt/c/Users/anna"}, true},
		{"/mnt/c/Users/anna/a", false, effect.Place{Cwd: "/mnt/c/Users"}, true},
		{"/mnt/c/Users/anna/a", false, effect.Place{Cwd: "/mnt/c"}, true},
		{"/mnt/c/Users/anna/a", false, effect.Place{Cwd: "/mnt"}, true},
		{"/mnt/c/Users/anna/a", false, effect.Place{Cwd: "/"}, true},
		{"/mnt/c/Users/anna/a", false, effect.Place{}, true},
		{"/home/u/Documents/shop/a", false, effect.Place{Cwd: "/home/u/Documents/shop", Home: "/home/u"}, false},
		{"/home/u/Documents/a", false, effect.Place{Cwd: "/home/u/Documents", Home: "/home/u"}, true},
		{"/home/u/Documents/a", false, effect.Place{Cwd: "/home/u", Home: "/home/u"}, true},
		{"/data/u/Documents/a", false, effect.Place{Cwd: "/data", Home: "/data/u"}, true},
	} {
		if got := set.Touches(&effect.Effect{Object: tc.object, Wide: tc.wide}, tc.at); got != tc.want {
			t.Errorf("%s wide %v in %q: touches %v, want %v", tc.object, tc.wide, tc.at.Cwd, got, tc.want)
		}
	}
}

func TestTestsAreTakenOutOfPaths(t *testing.T) {
	t.Parallel()
	set := effect.NewPaths([]string{"**/id_rsa", "**/.env", "!./**/tests/**"})
	app := effect.Place{Cwd: "/home/u/app", Home: "/home/u"}
	for _, tc := range []struct {
		object string
		at     effect.Place
		want   bool
	}{
		{"/home/u/app/tests/id_rsa", app, false},
		{"/home/u/app/pkg/tests/data/.env", app, false},
		{"/home/u/app/Tests/.env", app, false},
		{"tests/.env", effect.Place{}, false},
		{"../tests/.env", effect.Place{}, true},
		{"/home/u/app/.env", app, true},
		{"/home/u/app/latests/.env", app, true},
		{"/home/u/app/*/id_rsa", app, true},
		{"/home/u/app/tests/$X/id_rsa", app, true},
		{"/home/u/app/.ssh/tests/id_rsa", app, true},
		{"/home/u/other/tests/id_rsa", app, true},
		{"/home/u/.ssh/tests/id_rsa", effect.Place{Cwd: "/home/u/.ssh", Home: "/home/u"}, true},
		{"/home/u/tests/id_rsa", effect.Place{Cwd: "/home/u", Home: "/home/u"}, true},
		{"/home/u/tests/app/id_rsa", effect.Place{Cwd: "/home/u/tests/app", Home: "/home/u"}, true},
	} {
		if got := set.Has(tc.object, tc.at); got != tc.want {
			t.Errorf("%s in %q: has %v, want %v", tc.object, tc.at.Cwd, got, tc.want)
		}
	}
}
