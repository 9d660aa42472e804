package call_test

import (
	"slices"
	"testing"

	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/invocation"
)

// What is typed goes to the program that was opened before.
func TestTextForAProgramThatRuns(t *testing.T) {
	for _, c := range []struct {
		name, opened, begun, chars string
		want                       bool
	}{
		{"after an interrupt", "", "", `\u0003rm -rf ~\r`, true},
		{"with something rubbed out", "", "", `rm -rf x\u007f~\n`, true},
		{"an interpreter nobody saw", "", "", `import shutil; shutil.rmtree('/home/u')\n`, true},
		{"an interpreter", "python3", "", `import os\nos.system('rm -rf ~')\n`, true},
		{"an editor", "vim x", "", `\u001b:!rm -rf ~\r`, true},
		{"a line in two parts", "bash", "rm -rf", ` ~\n`, true},
		{"an answer", "npm init", "", `y\n`, false},
		{"a text", "python3", "", `print('rm -rf ~')\n`, false},
		{"nothing but keys", "", "", `\u0003`, false},
	} {
		set := call.Setting{Place: home, Files: invocation.FileFunc(func(path string) *invocation.File {
			switch {
			case path == call.SessionFile && c.opened != "":
				return &invocation.File{Content: c.opened, Known: true}
			case path == call.TypedFile && c.begun != "":
				return &invocation.File{Content: c.begun, Known: true}
			}
			return nil
		})}
		read := &call.Call{}
		read.Fill(function("write_stdin", `{"session_id":1,"chars":"`+c.chars+`"}`), set, false)
		if got := effectsOf(read); slices.Contains(got, deletesHome) != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// A call opens a program if that waits for what is typed.
func TestProgramsThatWait(t *testing.T) {
	for command, want := range map[string]string{
		"psql $DATABASE_URL":   "psql $DATABASE_URL",
		"cd a && python3":      "python3",
		"docker exec -it a sh": "docker exec -it a sh",
		"go test ./...":        "",
		"psql < a.sql":         "",
		"rails db:migrate":     "",
	} {
		if got := call.Read(function("exec_command", `{"cmd":"`+command+`"}`), home).Opens(); got != want {
			t.Errorf("%s opens %q", command, got)
		}
	}
	begun, ok := call.Read(function("write_stdin", `{"session_id":1,"chars":"ls\nrm -rf"}`), home).Typed()
	if !ok || begun != "rm -rf" {
		t.Errorf("begun %q, %t", begun, ok)
	}
}
