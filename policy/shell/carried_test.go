package shell

import (
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// What a program runs besides what else it does counts as if it stood alone.
func TestCommandsThatProgramsCarry(t *testing.T) {
	checkVerbs(t, [][2]string{
		{"guix shell coreutils -- rm -rf /x", "delete /x wide"},
		{"gdb -batch -ex run --args rm -rf /x", "delete /x wide"},
		{"nx exec -- rm -rf /x", "run nx exec rm -rf /x; delete /x wide ?"},
		{"coreutils --coreutils-prog=rm -rf /x", "delete /x wide"},
		{"limactl shell default rm -rf /x", "delete /x wide remote"},
		{"colima ssh -p a -- rm -rf /x", "delete /x wide remote"},
		{"podman unshare rm -rf /x", "delete /x wide"},
		{"bazel run --run_under='rm -rf /x &&' //a", "delete /x wide; delete /x wide ?"},
		{"fzf --bind 'start:execute(rm -rf /x)'", "delete /x wide"},
		{"parallel --pipe bash <<< 'rm -rf /x'", "delete /x wide"},
		{"m4 -DA='rm -rf /x' <<< 'esyscmd(A)'", "delete /x wide"},
		{"m4 -DA='rm -rf /x' a.m4", "read /home/u/p/a.m4"},
		{"make CC='rm -rf /x' a", "run make CC=rm -rf /x a; delete /x wide ?"},
		{"make CC=clang a", "run make CC=clang a ?"},
		{"test -v 'a[$(rm -rf /x)]'", "delete /x wide ?"},
		{"unset 'a[0]'", "unset-variable a[0]"},
		{"a[$(rm -rf /x)]=1", "delete /x wide ?"},
		{"/lib64/ld-linux-x86-64.so.2 --library-path /l /bin/rm -rf /x", "delete /x wide"},
		{"wsl --unregister Ubuntu", "destroy machine Ubuntu wide"},
		{"autossh -M 0 host rm -rf /x", "delete /x wide remote; connect host"},
	})
}

// Programs are read wherever their text comes from.
func TestProgramsAsText(t *testing.T) {
	checkVerbs(t, [][2]string{
		{"python3 /dev/fd/3 3<<< 'import shutil; shutil.rmtree(\"/x\")'", "delete /x wide"},
		{"cmake -P <(echo 'file(REMOVE_RECURSE /x)')", "delete /x wide"},
		{"cmake -P /dev/stdin <<< 'execute_process(COMMAND rm -rf /x)'", "delete /x wide"},
		{"cmake -E remove_directory /x", "delete /x wide"},
		{"scons -f <(echo 'import shutil; shutil.rmtree(\"/x\")')", "delete /x wide"},
		{"puppet apply -e \"file{'/x': ensure=>absent, force=>true}\"", "delete /x wide"},
		{"tcc -run - <<< 'int main(){system(\"rm -rf /x\");}'", "delete /x wide"},
		{"psql -f <(echo 'drop table t')", "drop table t"},
		{"BASH_ENV=/dev/stdin bash -c : <<< 'rm -rf /x'", "delete /x wide"},
		{"make -C /d -f <(printf 'a:;rm -rf x') a", "delete /d/x wide"},
	})
}

// What empties a file removes what was in it.
func TestVerbsThatEmpty(t *testing.T) {
	checkVerbs(t, [][2]string{
		{"tee a < /dev/null", "delete /home/u/p/a; write /home/u/p/a"},
		{"echo x | tee a", "write /home/u/p/a"},
		{"sort -o a /dev/null", "delete /home/u/p/a; write /home/u/p/a"},
		{"sed -i d a", "delete /home/u/p/a; write /home/u/p/a"},
		{"sed -i /x/d a", "write /home/u/p/a"},
		{"perl -i -ne '' a", "delete /home/u/p/a; write /home/u/p/a"},
		{"perl -i -ne 'print' a", "write /home/u/p/a"},
		{"awk -i inplace 'BEGIN{}' a", "delete /home/u/p/a; write /home/u/p/a"},
		{"awk -i inplace '!s[$0]++' a", "write /home/u/p/a"},
		{"ex -sc '%d|x' a", "delete /home/u/p/a; write /home/u/p/a"},
		{"fallocate -p -l 1G a", "delete /home/u/p/a; write /home/u/p/a"},
		{"fallocate -l 1G a", "write /home/u/p/a"},
		{"echo AA > a; sed -i s/A/B/ a; sed -i 's/x*/y/' a", "write /home/u/p/a; write /home/u/p/a; write /home/u/p/a"},
	})
}

// A path through another name for a directory lies where that leads, also if the
// name was made before.
func TestRemovalsBehindLinks(t *testing.T) {
	for _, c := range []struct{ command, want string }{
		{"rm -rf h/", "delete /home/u wide; delete /home/u/p/h wide"},
		{"rm -rf h/a/b", "delete /home/u/a/b wide; delete /home/u/p/h/a/b wide"},
		{"rm -rf h", "delete /home/u/p/h wide"},
		{"rm -rf other/", "delete /home/u/p/other wide"},
	} {
		file := func(path string) *invocation.File {
			if path == "/home/u/p/h" {
				return &invocation.File{Link: "/home/u"}
			}
			return nil
		}
		got := strings.Join(said(Read(c.command, invocation.Setting{Place: effect.Place{Cwd: "/home/u/p", Home: "/home/u"}, Files: invocation.FileFunc(file)})), "; ")
		if got != c.want {
			t.Errorf("%s\n   does %s\n   want %s", c.command, got, c.want)
		}
	}
	checkVerbs(t, [][2]string{
		{`rm -rf "$D/../../../../etc"`, "delete $D/../../../../etc wide; delete /etc wide guess; delete /etc wide guess ?"},
		{`rm -rf "$D/../../dist"`, "delete $D/../../dist wide; delete /dist wide guess ?"},
	})
}

// The modules that a program loads run with it.
func TestModulesThatProgramsLoad(t *testing.T) {
	for _, c := range []struct{ name, content, command, want string }{
		{"m.js", "require('fs').rmSync('/x',{recursive:true})", "node m", "delete /x wide"},
		{"m.js", "require('fs').rmSync('/x',{recursive:true})", "node -r ./m.js -e 1", "delete /x wide"},
		{"m.js", "require('fs').rmSync('/x',{recursive:true})", "NODE_OPTIONS='-r ./m.js' node -e 1", "delete /x wide"},
		{"lib/util.py", "import shutil; shutil.rmtree('/x')", "python3 - <<< 'from lib import util'", "delete /x wide"},
		{"lib/util.py", "import shutil; shutil.rmtree('/x')", "python3 - <<< 'import lib.util as u'", "delete /x wide"},
		{"lib/util.py", "import lib.util; import shutil; shutil.rmtree('/x')", "python3 -c 'import lib.util'", "delete /x wide"},
		{"m.rb", "system('rm -rf /x')", "ruby -r./m -e 1", "delete /x wide"},
		{"gen.go", "package a\n//go:generate rm -rf /x\n", "go generate", "delete /x wide"},
		{"tox.ini", "[testenv]\ncommands =\n  rm -rf /x\n", "tox", "delete /x wide"},
		{"r.sh", "A -rf /x", "sed -i s/A/rm/ r.sh; sh r.sh", "delete /x wide"},
	} {
		file := func(path string) *invocation.File {
			if path == "/home/u/p/"+c.name {
				return &invocation.File{Content: c.content, Known: true}
			}
			return nil
		}
		if got := said(Read(c.command, invocation.Setting{Place: effect.Place{Cwd: "/home/u/p", Home: "/home/u"}, Files: invocation.FileFunc(file)})); !slices.Contains(got, c.want) {
			t.Errorf("%s with %q\n   does %q\n   want %q", c.command, c.content, got, c.want)
		}
	}
}
