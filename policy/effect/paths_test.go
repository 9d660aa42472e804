package effect_test

import (
	"strconv"
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
)

func TestEffectsTouchPaths(t *testing.T) {
	t.Parallel()
	known := effect.Place{Cwd: "/home/u/p", Home: "/home/u"}
	unknown := effect.Place{}
	for _, tc := range []struct {
		object  string
		wide    bool
		pattern string
		at      effect.Place
		want    bool
	}{
		{"/", true, "/", known, true},
		{"/", true, "/etc/**", known, true},
		{"/etc", true, "/etc/**", known, true},
		{"/etc/x/y", false, "/etc/", known, true},
		{"/home/u/keys/a/b", false, "~/keys/", known, true},
		{"/home/u/x", false, "~/", known, false},
		{"/etc/x/y", false, "/etc/**", known, true},
		{"/*", true, "/", known, true},
		{"/e*", true, "/etc/**", known, true},
		{"/e??", false, "/etc", known, true},
		{"/srv/a", false, "/srv", known, false},
		{"/srv/a", true, "/srv/*", known, true},
		{"/home/u", true, "~", known, true},
		{"/home/u", true, "~", unknown, true},
		{"/home", true, "~", known, true},
		{"/home/u/x", true, "~", known, false},
		{"/home/u/*", true, "~", known, true},
		{"~", true, "~", unknown, true},
		{"~/..", true, "/home", unknown, true},
		{"~/../other", true, "/home/*", unknown, true},
		{"~bob", true, "/home/*", unknown, true},
		{"~/.ssh/id_rsa", false, "~/.ssh/**", unknown, true},
		{"/Users/x/.ssh/id_rsa", false, "~/.ssh/**", unknown, true},
		{"/home/u/.ssh/*", false, "~/.ssh/id_*", known, true},
		{"/home/u", true, "~/.ssh/**", known, true},
		{"/home/u/p", true, "~/.ssh/**", known, false},
		{"/home/u/p", true, ".", known, true},
		{"/home/u/p/*", true, ".", known, true},
		{"/home/u/p/build/*", true, ".", known, false},
		{"/home/u/p/build", true, ".", known, false},
		{".", true, ".", unknown, true},
		{"*", true, ".", unknown, true},
		{"..", true, ".", unknown, true},
		{"../..", true, ".", unknown, true},
		{"../sibling", true, ".", unknown, false},
		{"../../../../../../home", true, "/home", unknown, true},
		{"../../node_modules", true, "/home", unknown, false},
		{"build", true, ".", unknown, false},
		{"$DIR/*", true, ".", unknown, false},
		{"$DIR/*", true, "/", unknown, false},
		{"/home/u/p/.git", true, "**/.git", known, true},
		{".git", true, "**/.git", unknown, true},
		{"build/*", true, "**/.git", unknown, false},
		{"build", true, "**/.git", unknown, false},
		{"/home/u/p/**/node_modules", true, ".", known, false},
		{"/home/u/p/**/node_modules", true, "/home/*", known, false},
		{"/**/*.log", true, "/etc/**", known, true},
		{"/home/u/**/x", true, "~/.ssh/**", known, true},
		{"/home/u/p/*.log", true, "**/.git", known, false},
		{"/home/u/p/**/*.orig", true, "**/.git", known, false},
		{"/home/u/p/**/*", false, "**/.env", known, false},
		{".env*", false, "**/.env", unknown, true},
		{"src/*.py", false, "**/sitecustomize.py", unknown, false},
		{"k8s/*.yaml", true, "**/sluice.yaml", known, false},
		{"$OLDPWD/bin/api", false, "**/*.pem", unknown, false},
		{"certs/*.pem", false, "**/*.pem", unknown, true},
		{".git/hooks/*", false, "**/.git/hooks/*", unknown, true},
		{"/home/$USER", true, "/home/*", known, true},
		{"C:/", true, "?:/", known, true},
		{"c:/windows/system32", true, "?:/Windows/**", known, true},
		{"C:/src/app/build", true, "?:/", known, false},
		{"/proc/self/root/etc/passwd", false, "/etc/**", known, true},
		{"/tmp/x", true, "/", known, false},
	} {
		got := effect.NewPaths([]string{tc.pattern}).Touches(&effect.Effect{Object: tc.object, Wide: tc.wide}, tc.at)
		if got != tc.want {
			t.Errorf("%s (wide %v) touches %s: %v", tc.object, tc.wide, tc.pattern, got)
		}
	}
}

func TestCapitalsAreSmallLettersToo(t *testing.T) {
	set := effect.NewPaths([]string{"**/.claude/settings*.json", "/etc/**", "~/Documents/**", "~/.ssh/id_*", "!**/*.pub"})
	at := effect.Place{Cwd: "/Users/Ada/App", Home: "/Users/Ada"}
	for path, want := range map[string]bool{
		"/repo/.CLAUDE/Settings.json":          true,
		"/Users/Ada/App/.Claude/settings.json": true,
		"/ETC/passwd":                          true,
		"~/.SSH/ID_RSA":                        true,
		"~/.SSH/ID_RSA.PUB":                    false,
		"~/documents/App":                      false, // on most disks another one
		"/repo/Claude/Settings.json":           false,
		"/Users/Ada/App/README.md":             false,
	} {
		if got := set.Has(path, at); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

func TestExclusionsHoldAsWritten(t *testing.T) {
	t.Parallel()
	at := effect.Place{Cwd: "/home/u/p", Home: "/home/u"}
	for _, tc := range []struct {
		object string
		set    []string
		want   bool
	}{
		{"/s/README.md", []string{"/s/**", "!**/README.md"}, false},
		{"/s/readme.md", []string{"/s/**", "!**/README.md"}, true},
		{"src/FooTest.java", []string{"**/*.java", "!**/*Test.java"}, false},
		{"src/Foo.java", []string{"**/*.java", "!**/*Test.java"}, true},
		{"~/Downloads/x", []string{"~/**", "!~/Downloads/*"}, false},
		{"~/Downloads/KEY", []string{"~/**", "!~/Downloads/*", "!!**/key"}, true},
		{"~/.SSH/ID_RSA", []string{"~/.ssh/*", "!**/*.pub"}, true},
		{"~/.SSH/ID_RSA.PUB", []string{"~/.ssh/*", "!**/*.pub"}, false},
		{"/home/u/p/Makefile", []string{"**/makefile", "!./**"}, false},
		{"/srv/Makefile", []string{"**/makefile", "!./**"}, true},
	} {
		if got := effect.NewPaths(tc.set).Has(tc.object, at); got != tc.want {
			t.Errorf("%s in %q: got %v, want %v", tc.object, tc.set, got, tc.want)
		}
	}
}

func TestStandardDirectoriesAreInTheHome(t *testing.T) {
	at := effect.Place{Cwd: "/w", Home: "/home/u"}
	for path, want := range map[string]string{
		"$XDG_CONFIG_HOME/sluice": "/home/u/.config/sluice",
		"${XDG_DATA_HOME}/a":      "/home/u/.local/share/a",
		"$XDG_CACHE_HOME":         "/home/u/.cache",
		"$XDG_CONFIG_HOMES/x":     "$XDG_CONFIG_HOMES/x",
		"/proc/self/cwd/../a":     "/a",
	} {
		if got, _ := at.Resolve(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

func TestWhatIsTakenOutOfASetIsNotTouched(t *testing.T) {
	t.Parallel()
	keys := effect.NewPaths([]string{"~/.ssh/id_*", "!**/*.pub"})
	lists := effect.NewPaths([]string{"/var/lib/**", "!/var/lib/apt/lists/**"})
	for object, want := range map[string]bool{"/var/lib/apt/lists/*": false, "/var/lib/apt/*": true, "/var/lib": true, "/var/lib/a*/lists/x": true} {
		if got := lists.Touches(&effect.Effect{Object: object, Wide: true}, effect.Place{}); got != want {
			t.Errorf("%s: %v", object, got)
		}
	}
	kept := effect.NewPaths([]string{"/srv/**", "!**/build/**", "!**/releases/*/**"})
	for object, want := range map[string]bool{"/srv/a": true, "/srv/a/build": false, "/srv/a/build/x*": false, "/srv/a/b*": true, "/srv/a/build/$X": true, "/srv/a/releases": true, "/srv/a/releases/*": true, "/srv/a/releases/1": false} {
		if got := kept.Touches(&effect.Effect{Object: object, Wide: true}, effect.Place{}); got != want {
			t.Errorf("%s: %v", object, got)
		}
	}
	for path, want := range map[string]bool{"~/.ssh/id_rsa": true, "~/.ssh/id_rsa.pub": false, "~/.ssh/id_*": true, "~/.ssh/*.pub": false, "~/.ssh/*": true, "~/.ssh/config": false} {
		if got := keys.Has(path, effect.Place{}); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

func TestPatternsMadeToBeSlowEnd(t *testing.T) {
	t.Parallel()
	long := "/"
	for range 200 {
		long += "**/a/"
	}
	effect.NewPaths([]string{long}).Has(long+"b", effect.Place{})
}

func TestLongListsAreLittleWorkForPathsWithoutWildcards(t *testing.T) {
	t.Parallel()
	var long []string
	for i := range 1000 {
		long = append(long, "~/.config/program"+strconv.Itoa(i)+"/token")
	}
	p := effect.NewPaths(long)
	if few, many := p.Steps("/repo/src/main.go"), p.Steps("/repo/*.go"); few > 100 || many < len(long) {
		t.Errorf("%d steps for a path, %d for a pattern", few, many)
	}
}

func TestWildcardsCostNoMemoryForEachPattern(t *testing.T) {
	var long []string
	for i := range 500 {
		n := strconv.Itoa(i)
		long = append(long, "~/.config/program"+n+"/token", "./work"+n+"/**", "**/name"+n)
	}
	p, at := effect.NewPaths(long), effect.Place{Cwd: "/home/u/p", Home: "/home/u"}
	for _, path := range []string{"/proc/$PID/ns/net", "/home/*/x", "/**/y", "a/*/b"} {
		if n := testing.AllocsPerRun(10, func() { p.Touches(&effect.Effect{Object: path, Wide: true}, at) }); n > 60 {
			t.Errorf("%s: %.0f allocations", path, n)
		}
	}
}
