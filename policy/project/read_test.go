package project

import (
	"slices"
	"strings"
	"testing"
)

// say writes steps for tables: texts for a shell as they are, lists of words in
// brackets, removals behind a minus.
func say(s Steps) []string {
	var list []string
	for _, c := range s.Commands {
		text := c.Shell
		if len(c.Args) > 0 {
			text = "[" + strings.Join(c.Args, "|") + "]"
		}
		if c.Dir != "" {
			text += " in " + c.Dir
		}
		list = append(list, strings.TrimSpace(text))
	}
	for _, r := range s.Removals {
		text := "-" + r.Path
		if r.All {
			text += "/*"
		}
		list = append(list, text)
	}
	if s.Unknown {
		list = append(list, "unknown")
	}
	return list
}

func check(t *testing.T, what string, s Steps, want ...string) {
	t.Helper()
	if got := say(s); !slices.Equal(got, want) {
		t.Errorf("%s\n  does %q\n  want %q", what, got, want)
	}
}

func whole(content string) File { return File{Content: content, Whole: true} }

func TestMake(t *testing.T) {
	t.Parallel()

	const content = ".PHONY: all\nOUT := /o\nall: build\nbuild: deps ; echo a\ndeps:\n\t@-rm deps\nnuke:\n\trm -rf $(OUT) $$HOME\nsub:\n\t$(MAKE) nuke\n%.o: %.c\n\tcc $<\nX := $(shell rm x)\n"
	for _, c := range []struct {
		goals string
		want  []string
	}{
		{"", []string{"rm x", "echo a", "rm deps"}},
		{"deps", []string{"rm x", "rm deps"}},
		{"nuke", []string{"rm x", "rm -rf /o $HOME"}},
		{"sub", []string{"rm x", "make nuke"}},
		{"a.o", []string{"rm x", "cc $<"}},
		{"other", []string{"rm x"}},
	} {
		check(t, "make "+c.goals, Make(whole(content), MakeSetting{Goals: strings.Fields(c.goals)}), c.want...)
	}
	given := MakeSetting{Goals: []string{"nuke"}, Variables: map[string]string{"OUT": "/given"}}
	check(t, "make OUT=/given", Make(whole(content), given), "rm x", "rm -rf /given $HOME")
	if got := say(Make(whole(content), MakeSetting{Goals: []string{"$X"}})); len(got) < 5 {
		t.Errorf("a goal that nobody knows makes %q, want everything", got)
	}
	open := func(name string) (File, bool) { return whole("x:\n\trm inc\ninclude a.mk\n"), name == "a.mk" }
	check(t, "include", Make(whole("include a.mk\n"), MakeSetting{Open: open}), slices.Repeat([]string{"rm inc"}, maxIncluded)...)
	check(t, "a piece", Make(File{Content: "rm -rf x"}, MakeSetting{}), "rm -rf x")
	check(t, "a justfile", Make(whole("default:\n  echo a\nall: (clean 'x')\nclean dir:\n  rm {{dir}}\n"), MakeSetting{Goals: []string{"all"}}), "rm {{dir}}")
}

func TestScripts(t *testing.T) {
	t.Parallel()

	const content = `{"scripts":{"test":"jest x","posttest":"rm post","build":"tsc"}}`
	check(t, "test", Scripts(whole(content), []string{"test"}, false), "jest x", "rm post")
	check(t, "any", Scripts(whole(content), nil, true), "jest x", "rm post", "tsc")
	check(t, "none", Scripts(whole(content), nil, false))
	check(t, "a piece", Scripts(File{Content: `"test": "rm x",`}, []string{"test"}, false), "rm x")
	check(t, "no JSON", Scripts(File{Content: `jest && rm x`}, []string{"test"}, false), "jest && rm x")
	if main, bins := Programs(`{"main":"a.js","bin":{"y":"c.js","x":"b.js"}}`); main != "a.js" || !slices.Equal(bins, []string{"b.js", "c.js"}) {
		t.Errorf("programs are %q and %q", main, bins)
	}
	check(t, "composer", ComposerScripts(whole(`{"description":"rm -rf all","scripts":{"x":["rm a b","@y"],"y":"rm c"}}`)), "rm a b", "rm c")
}

func TestNamedTasks(t *testing.T) {
	t.Parallel()

	check(t, "deno", NamedTasks(`{"tasks":{"x":"rm -rf a","y":"deno fmt b"}}`, []string{"x"}), "rm -rf a")
	check(t, "nx", NamedTasks(`{"targets":{"x":{"options":{"commands":["rm a b"]}}}}`, []string{"app:x"}), "rm a b")
	check(t, "comments", NamedTasks("{ // a \"b\n\"tasks\": /* x */ {\"x\": \"rm // a\",},}", []string{"x"}), "rm // a")
	check(t, "no JSON", NamedTasks(`x`, []string{"x"}))
	check(t, "too deep", NamedTasks(`{"tasks":{"x":`+strings.Repeat(`[`, 9)+`"rm a"`+strings.Repeat(`]`, 9)+`}}`, []string{"x"}), "unknown")
}

func TestTaskfile(t *testing.T) {
	t.Parallel()

	const content = "vars:\n  label: {sh: git log x}\ntasks:\n  default: [go test x]\n  a:\n    desc: rm -rf all\n    deps: [b, {task: c}]\n    cmds:\n      - |\n        cd x\n        rm y\n      - task: d\n" +
		"  b: rm b b\n  c: {cmds: [{cmd: rm c c}]}\n  d:\n    dir: sub\n    aliases: [dd]\n    cmds: [{defer: rm d d}]\n  loop: {deps: [loop], cmds: [rm l l]}\n  deps: rm e e\n  v: {vars: {label: {sh: rm v v}}}\n  dynamic: {cmds: [{task: '{{.X}}'}]}\n"
	for _, c := range []struct {
		names string
		want  []string
	}{
		{"", []string{"go test x", "git log x"}},
		{"b", []string{"rm b b", "git log x"}},
		{"a", []string{"cd x\nrm y", "rm b b", "rm c c", "rm d d in sub", "git log x"}},
		{"dd", []string{"rm d d in sub", "git log x"}},
		{"deps", []string{"rm e e", "git log x"}},
		{"v", []string{"rm v v", "git log x"}},
		{"loop", []string{"rm l l", "git log x"}},
	} {
		check(t, "task "+c.names, Taskfile(whole(content), strings.Fields(c.names)), c.want...)
	}
	for _, name := range []string{"other", "dynamic", "$X"} {
		if got := say(Taskfile(whole(content), []string{name})); !slices.Contains(got, "rm l l") || !slices.Contains(got, "rm b b") {
			t.Errorf("task %s does %q, want everything", name, got)
		}
	}
	check(t, "a piece", Taskfile(File{Content: "      - rm a b"}, []string{"x"}), "rm a b", " rm a b"[1:])
	check(t, "no YAML", Taskfile(whole("a: [\n  - rm a b\n"), nil), "rm a b")
}

func TestPlaybook(t *testing.T) {
	t.Parallel()

	const content = "- hosts: all\n  tasks:\n    - name: clean\n      shell: |\n        cd /x\n        rm y\n    - file: {path: /srv, state: absent}\n    - ansible.builtin.file: path=/opt state=absent\n" +
		"    - lineinfile: {path: /etc/hosts, state: absent}\n    - file: {path: /var, state: directory}\n    - file:\n        path: '{{ item }}'\n        state: absent\n      loop: [/a, /b]\n"
	check(t, "a playbook", Playbook(whole(content)), "cd /x\nrm y", "path=/opt state=absent", "{{ item }}", "-/srv/*", "-/opt/*", "-/a/*", "-/b/*")
}

func TestTexts(t *testing.T) {
	t.Parallel()

	check(t, "anchors", Texts(whole("x: &a rm a b\ny: *a\nz: [*a]\n")), "rm a b", "rm a b", "rm a b")
	check(t, "documents", Texts(whole("a: rm a b\n---\nb: rm c d\n")), "rm a b", "rm c d")
	check(t, "comments", Texts(whole("# x: rm a b\nx: y\n")))
	check(t, "a Procfile", Lines(whole("web: npm start x\nworker: y\n")), "npm start x")
	check(t, "settings", Settings(whole("[testenv]\ncommands =\n  rm a b\n# no command\nx = 'y z'\n")), "rm a b", "y z")
	check(t, "go generate", GoGenerate("//go:generate rm a\n// go:generate no\n"), "rm a")
}

func TestWords(t *testing.T) {
	t.Parallel()

	words := []string{"run", "cmd"}
	for content, want := range map[string]string{
		`c.run('rm a b')`:           "rm a b",
		`run('rm', 'a', x=1)`:       "[rm|a]",
		`cmd = ["rm", "a"]`:         "[rm|a]",
		`"cmd": "rm a"`:             "rm a",
		"run: |\n  rm a\n  rm b\nx": "rm a\nrm b",
		"cmd: rm $$HOME":            "rm $HOME",
		`cmd == "rm a"`:             "",
		`brun("rm a")`:              "",
	} {
		if got := strings.Join(say(Words(content, words)), ";"); got != want {
			t.Errorf("Words in %q: %q, want %q", content, got, want)
		}
	}
	for content, want := range map[string]string{
		"a:\n  run: rm a b\n":               "rm a b",
		"run: [rm, a]":                      "[rm|a]",
		"run:\n  - rm a\n  - rm b\n":        "rm a;rm b",
		"# run: rm a\nx: {cmd: 'rm b'}\n":   "rm b",
		"x: &c {run: rm a}\ny:\n  <<: *c\n": "rm a;rm a",
		"cmd: >-\n  rm\n  a\n":              "rm a",
		"a: [\n run: rm a b":                "rm a b",
	} {
		if got := strings.Join(say(YAMLWords(whole(content), words)), ";"); got != want {
			t.Errorf("YAMLWords in %q: %q, want %q", content, got, want)
		}
	}
	if got := Blocks(`a "x" { run = "b" { } } run = "c"`, []string{`"x"`}); strings.Contains(got, "c") || !strings.Contains(got, `run = "b"`) {
		t.Errorf("the block is %q", got)
	}
}

func TestBuilds(t *testing.T) {
	t.Parallel()

	check(t, "Maven", Elements(`<executable>rm</executable><arguments><argument>-rf</argument><argument>${user.home}</argument></arguments>`), "[rm|-rf|~]")
	check(t, "Ant", Elements(`<delete dir="/x"/><exec executable="rm"><arg value="a"/><arg line="b c"/></exec>`), "[rm|a|b|c]", "-/x/*")
	check(t, "dune", Dune(`(rule (action (run rm x))) (system "rm y")`), "rm x", "rm y")
	check(t, "CMake", CMake(`execute_process(COMMAND rm a) file(REMOVE_RECURSE "/x")`), "rm a", "-/x/*")
	check(t, "Puppet", Puppet(`file { '/x': ensure => absent, recurse => true } exec { 'rm y': }`), "rm y", "-/x/*")
	if got := Containerfile("FROM a\nRUN --mount=x rm \\\n  a\nrun [\"rm\", \"b\"]\nCMD x y\n"); got != "rm    a\nrm b\n" {
		t.Errorf("the image is built with %q", got)
	}
	if module, dirs := Backend("[build-system]\nbuild-backend = \"b:x\"\nbackend-path = [\".\", \"t\"]\n"); module != "b" || len(dirs) != 2 {
		t.Errorf("the backend is %q in %q", module, dirs)
	}
}

func TestPackageSettings(t *testing.T) {
	t.Parallel()

	for content, want := range map[string]string{
		"registry=https://r.example/":                            "https://r.example/",
		"[install.scopes]\nx = \"https://s.example\"":            "https://s.example",
		"--extra-index-url https://i.example/simple":             "https://i.example/simple",
		"[[tool.uv.index]]\nurl = \"https://u.example\"":         "https://u.example",
		"[project.urls]\nrepository = \"https://g.example/x\"":   "",
		"# registry=https://r.example/":                          "",
		"yarnPath: /tmp/y.js":                                    "/tmp/y.js",
		strings.Repeat("registry=https://a.b/\n", 3) + "x = y\n": "https://a.b/ https://a.b/ https://a.b/",
	} {
		registries, programs := PackageSettings(content)
		if got := strings.Join(append(registries, programs...), " "); got != want {
			t.Errorf("%q names %q, want %q", content, got, want)
		}
	}
}

func TestPythonTasks(t *testing.T) {
	t.Parallel()

	const content = "import os\n@task\ndef alpha(c):\n    c.run('rm a')\n\n@task(pre=[alpha])\ndef beta_two(c):\n    c.run('rm b')\n\n@task\ndef delta(c):\n    c.run('rm d')\n"
	for args, want := range map[string]string{"alpha": "ab", "beta-two": "ab", "delta": "d", "": "abd", "other": "abd", "alpha delta": "abd"} {
		got := ""
		for _, name := range []string{"a", "b", "d"} {
			if strings.Contains(PythonTasks(content, strings.Fields(args)), "rm "+name) {
				got += name
			}
		}
		if got != want {
			t.Errorf("%q wants %q, not %q", args, got, want)
		}
	}
}
