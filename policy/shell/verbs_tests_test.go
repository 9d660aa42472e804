package shell

import (
	"slices"
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// Tests that the conversation wrote are judged when something runs them that
// finds them by their names.
func TestTestsThatTheConversationWrote(t *testing.T) {
	const gone = `delete /home/u wide`
	for _, c := range []struct {
		name, content, command, want string
	}{
		{"tests/test_a.py", "import shutil\ndef test_a():\n    shutil.rmtree('/home/u')\n", `pytest`, gone},
		{"tests/test_a.py", "import os\nos.system('rm -rf ~')\n", `python3 -m pytest tests -q`, gone},
		{"tests/test_a.py", "import os\nos.system('rm -rf ~')\n", `pytest tests/test_a.py::test_x`, gone},
		{"tests/test_a.py", "import os\nos.system('rm -rf ~')\n", `python -m unittest discover`, gone},
		{"tests/test_a.py", "import os\nos.system('rm -rf ~')\n", `.venv/bin/pytest`, gone},
		{"tests/test_a.py", "import os\nos.system('rm -rf ~')\n", `uv run pytest`, gone},
		{"conftest.py", "import os\nos.system('rm -rf ~')\n", `pytest tests/test_b.py`, gone},
		{"src/a.test.ts", "import { execSync } from 'child_process';\ntest('a', () => { execSync('rm -rf ~') })", `npx jest`, gone},
		{"src/a.spec.js", "require('child_process').execSync('rm -rf ~')", `npm test`, gone},
		{"test/a.js", "require('child_process').execSync('rm -rf ~')", `node --test`, gone},
		{"test/a.test.ts", "require('child_process').execSync('rm -rf ~')", `pnpm vitest run`, gone},
		{"a/a_test.go", "package a\nfunc TestA(t *testing.T) { os.RemoveAll(\"/home/u\") }", `go test ./...`, gone},
		{"a/a_test.go", "package a\nfunc TestA(t *testing.T) {\n\thome, _ := os.UserHomeDir()\n\tos.RemoveAll(home)\n}", `go test -v ./a`, gone},
		{"a/a_test.go", "package a\nfunc TestA(t *testing.T) { exec.Command(\"rm\", \"-rf\", \"/home/u\").Run() }", `go test ./...`, gone},
		{"tests/a.rs", "#[test] fn a() { Command::new(\"rm\").args([\"-rf\", \"/home/u\"]).status(); }", `cargo test`, gone},
		{"spec/a_spec.rb", "system('rm -rf ~')", `bundle exec rspec`, gone},
		{"tests/ATest.php", "<?php exec('rm -rf ~');", `vendor/bin/phpunit`, gone},
		{"x.bats", "@test \"x\" {\n  rm -rf ~\n}", `bats .`, gone},
		{"scripts/a.sh", "rm -rf ~", `run-parts scripts`, gone},
		{"scripts/a.sh", "rm -rf ~", `sh scripts/*.sh`, gone},
		// What does not run, and what is only talked about.
		{"tests/test_a.py", "import os\nos.system('rm -rf ~')\n", `pytest other`, ``},
		{"tests/test_a.py", "import os\nos.system('rm -rf ~')\n", `go test ./...`, ``},
		{"tests/test_a.py", "import os\nos.system('rm -rf ~')\n", `npm run build`, ``},
		{"b/a_test.go", "package b\nfunc TestA(t *testing.T) { os.RemoveAll(\"/home/u\") }", `go test ./a/...`, ``},
		{"tests/test_a.py", "def test_a():\n    assert dangerous('rm -rf ~')\n", `pytest`, ``},
		{"a/a_test.go", "package a\nfunc TestA(t *testing.T) {\n\tfor _, c := range []string{\"rm -rf /\", \"rm -rf ~\"} {\n\t\tt.Run(c, func(t *testing.T) { run(c) })\n\t}\n\tos.RemoveAll(t.TempDir())\n}", `go test ./...`, ``},
		{"tests/test_a.py", "def test_a(db):\n    User.objects.all().delete()\n", `pytest`, ``},
		{"tests/test_a.py", "import boto3\nfrom moto import mock_aws\n@mock_aws\ndef test_a():\n    boto3.client('s3').delete_bucket(Bucket='b')\n", `pytest`, ``},
	} {
		file := func(path string) *invocation.File {
			if meant := invocation.NewPattern(path); meant.Matches("/home/u/p/" + c.name) {
				return &invocation.File{Content: c.content, Known: !follow.IsPattern(path)}
			}
			return nil
		}
		reading := Read(c.command, invocation.Setting{Place: effect.Place{Cwd: "/home/u/p", Home: "/home/u"}, Files: invocation.FileFunc(file)})
		got := said(invocation.Reading{Effects: slices.DeleteFunc(reading.Effects, func(e effect.Effect) bool { return e.Verb == effect.Run })})
		if c.want == "" && len(got) > 0 || c.want != "" && !slices.Contains(got, c.want) {
			t.Errorf("%s with %q\n   does %q\n   want %q", c.command, c.content, got, c.want)
		}
	}
}
