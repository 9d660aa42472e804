package shell

import (
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// withFile is what a text does where the conversation wrote a file before.
func withFile(name string, f *invocation.File, command string) []string {
	file := func(path string) *invocation.File {
		if path == "/home/u/p/"+name {
			return f
		}
		return nil
	}
	return said(Read(command, invocation.Setting{Place: effect.Place{Cwd: "/home/u/p", Home: "/home/u"}, Files: invocation.FileFunc(file)}))
}

// Of a file with several targets or scripts only those count that run.
func TestTargetsThatRun(t *testing.T) {
	const makefile = ".PHONY: all\nOUT := /home/u\nDIR = $(OUT)/x\nall: build\nbuild: deps ; echo\ndeps:\n\trm -rf /srv/deps\n" +
		"nuke:\n\trm -rf $(OUT)\nsub:\n\t$(MAKE) nuke\n%.o: %.c\n\trm -rf /srv/rule\nnested:\n\trm -rf ${DIR}\n"
	const just = "default:\n  echo\nclean dir:\n  rm -rf /srv/a\nall: (clean 'x') other\nother:\n  rm -rf /srv/b\n"
	const tasks = "tasks:\n  default: [go test ./...]\n  build: {deps: [clean], cmds: [go build ./...]}\n  clean: rm -rf /srv/clean\n  reset:\n    desc: rm -rf /srv/words\n    # rm -rf /srv/remark\n    cmds: [rm -rf /srv/reset]\n" +
		"  sub:\n    dir: sub\n    cmds: [{cmd: rm -rf out}]\n"
	const npm = `{"scripts":{"build":"npm run clean && tsc","clean":"rm -rf /srv/clean","preinstall":"rm -rf /srv/pre","posttest":"rm -rf /srv/post","test":"jest","reset":"rm -rf /srv/reset"}}`
	for _, c := range []struct {
		file, content, command, want string
		part                         bool
	}{
		{"Makefile", makefile, "make", "/srv/deps", false},
		{"Makefile", makefile, "make all -j 8", "/srv/deps", false},
		{"Makefile", makefile, "make nuke", "/home/u", false},
		{"Makefile", makefile, "make -n nuke", "", false},
		{"Makefile", makefile, "make sub", "/home/u", false},
		{"Makefile", makefile, "make nuke OUT=/srv/given", "/srv/given", false},
		{"Makefile", makefile, "make a.o", "/srv/rule", false},
		{"Makefile", makefile, "make nested", "/home/u/x", false},
		{"Makefile", makefile, `make "$X"`, "/home/u /home/u/x /srv/deps /srv/rule", false},
		{"Makefile", makefile, "make other", "", false},
		{"Makefile", "\trm -rf /srv/x\n", "make test", "/srv/x", true},
		{"Makefile", "other:\n\trm -rf /srv/x\n", "make test", "", true},
		{"Makefile", "X := $(shell rm -rf /srv/x)\nall:\n", "make test", "/srv/x", false},
		{"Taskfile.yml", tasks, "task", "", false},
		{"Taskfile.yml", tasks, "task build", "/srv/clean", false},
		{"Taskfile.yml", tasks, "task clean X=1", "/srv/clean", false},
		{"Taskfile.yml", tasks, "task sub", "/home/u/p/sub/out", false},
		{"Taskfile.yml", tasks, "task other", "/home/u/p/sub/out /srv/clean /srv/reset", false},
		{"Taskfile.yml", "      - rm -rf /srv/any\n", "task test", "/srv/any", true},
		{"justfile", just, "just", "", false},
		{"justfile", just, "just clean", "/srv/a", false},
		{"justfile", just, "just all", "/srv/a /srv/b", false},
		{"package.json", npm, "npm run build", "/srv/clean", false},
		{"package.json", npm, "npm install left-pad", "/srv/pre", false},
		{"package.json", npm, "npm test", "/srv/post", false},
		{"package.json", npm, "yarn", "/srv/pre", false},
		{"package.json", npm, "yarn reset", "/srv/reset", false},
		{"package.json", npm, "pnpm --filter web run reset", "/srv/reset", false},
		{"package.json", npm, "npm run", "", false},
		{"package.json", npm, "npm ls", "", false},
		{"package.json", npm, `npm run "$X"`, "/srv/clean /srv/post /srv/pre /srv/reset", false},
		{"package.json", `"reset": "rm -rf /srv/reset",`, "npm test", "", true},
		{"package.json", `"test": "rm -rf /srv/test"`, "npm test", "/srv/test", true},
		{"package.json", `jest && rm -rf /srv/any`, "npm test", "/srv/any", true},
	} {
		var got []string
		for _, does := range withFile(c.file, &invocation.File{Content: c.content, Known: !c.part}, c.command) {
			if object, ok := strings.CutPrefix(does, "delete "); ok {
				got = append(got, strings.TrimSuffix(object, " wide"))
			}
		}
		slices.Sort(got)
		if got := strings.Join(slices.Compact(got), " "); got != c.want {
			t.Errorf("%s deletes %q, want %q", c.command, got, c.want)
		}
	}
}

// What starts itself again is read once more, and is no reason for doubt.
func TestWhatStartsItself(t *testing.T) {
	for _, c := range []struct{ file, content, command string }{
		{"vite.config.ts", "export default {}\n", "npx vite build"},
		{"Makefile", "ci:\n\tmake build\n\tmake test\nbuild:\n\tgo build\ntest:\n\tmake build\n", "make ci"},
		{"package.json", `{"scripts":{"a":"npm run b","b":"npm run a","c":"npm run a && npm run b"}}`, "npm run c"},
		{"a.sh", "case $1 in\n all) ./a.sh build; ./a.sh test;;\n build) npm run build;;\nesac\n", "./a.sh all"},
		{"x.py", "import subprocess\nsubprocess.run(['python3', 'x.py', 'child'])\n", "python3 x.py"},
		{"justfile", "ci:\n  just lint\n  just test\nlint:\n  just ci\n", "just ci"},
	} {
		file := func(path string) *invocation.File {
			if path == "/home/u/p/"+c.file {
				return &invocation.File{Content: c.content, Known: true}
			}
			return nil
		}
		r := Read(c.command, invocation.Setting{Place: effect.Place{Cwd: "/home/u/p", Home: "/home/u"}, Files: invocation.FileFunc(file)})
		if slices.Contains(r.Unknown, invocation.Nesting) {
			t.Errorf("%s with %s %q: %q", c.command, c.file, c.content, r.Unknown)
		}
	}
	// With another environment it may do something else.
	got := withFile("a.sh", &invocation.File{Content: "if [ -n \"$Z\" ]; then rm -rf \"$Z\"; else Z=/home/u ./a.sh; fi\n", Known: true}, "sh a.sh")
	if !slices.Contains(got, "delete /home/u wide") {
		t.Errorf("does %q", got)
	}
}
