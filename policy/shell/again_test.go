package shell

import (
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// What the shell expands a second time runs then.
func TestTextsThatAreExpandedAgain(t *testing.T) {
	deletes := func(text string) bool {
		r := Read(text, invocation.Setting{Place: effect.Place{Cwd: "/home/u/p", Home: "/home/u"}})
		return slices.ContainsFunc(said(r), func(s string) bool { return strings.HasPrefix(s, "delete /x") })
	}
	for _, text := range []string{
		"x='a[$(rm -rf /x)]'; ((x))",
		"x='a[$(rm -rf /x)]'; y=x; echo $((y))",
		"x='a[`rm -rf /x`]'; [[ $x -eq 1 ]]",
		"x='a[$(rm -rf /x)]'; declare -i y=x",
		"x='a[$(rm -rf /x)]'; echo ${y:x}",
		"let 'a[$(rm -rf /x)]=1'",
		`x='$(rm -rf /x)'; echo "${x@P}"`,
		"case x in $(rm -rf /x)) ;; esac",
		"compgen -W '$(rm -rf /x)'",
		"bash --rcfile <(echo 'rm -rf /x') -i",
		"zsh -c 'print ${(e):-\\$(rm -rf /x)}'",
		"zsh -c 'ls *(e:\"rm -rf /x\":)'",
		"fish -C 'rm -rf /x' -c true",
		"/proc/self/exe -c 'rm -rf /x'",
		"r$@m -rf /x",
		"$(head -c2 <<< rmfoo) -rf /x",
		"$(cut -c 1-2 <<< rmfoo) -rf /x",
		"bash -c \"$(dd if=<(echo 'rm -rf /x'))\"",
		"X='rm -rf /x' make -f - <<< 'a:;$(X)'",
		"swipl -g \"shell('rm -rf /x')\"",
		"latex '\\write18{rm -rf /x}'",
		"gs -c '(%pipe%rm -rf /x) (r) file'",
		"hg --config alias.a='!rm -rf /x' a",
		"svn diff --diff-cmd rm -x '-rf /x'",
		"ip netns exec a rm -rf /x",
		"run-parts --regex '^rm$' --arg=-rf --arg=/x /bin",
		"npm pkg set scripts.a='rm -rf /x'",
		"nvim --remote-send ':!rm -rf /x<CR>'",
		"xdotool type --delay 1 'rm -rf /x'",
		"perl -e 'exec qw(rm -rf /x)'",
		"python3 -m trace --trace /dev/stdin <<< \"import os;os.system('rm -rf /x')\"",
		"PYTHONSTARTUP=<(echo \"import os;os.system('rm -rf /x')\") python3 -i",
		"python3 -c \"import ctypes; ctypes.CDLL(None).execl(b'/bin/rm', b'rm', b'-rf', b'/x', None)\"",
		"node -e 'process.binding(\"spawn_sync\").spawn({file:\"/bin/rm\",args:[\"rm\",\"-rf\",\"/x\"]})'",
	} {
		if !deletes(text) {
			t.Errorf("%s\n deletes nothing", text)
		}
	}
	for _, text := range []string{
		"x='a[0]'; ((x))", `x='a b'; echo "${x@Q}"`, "case x in a|b) ;; esac", "compgen -W 'a b'", "$(head -c2 README.md)", "hg --config ui.verbose=true log", "xdotool type hello",
		"npm pkg set scripts.a='tsc -p .'", "perl -e 'my @a = qw(rm -rf /x); print @a'", "python3 -m cProfile -s time",
	} {
		if deletes(text) {
			t.Errorf("%s\n deletes", text)
		}
	}
}
