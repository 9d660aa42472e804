package service_test

import (
	"encoding/xml"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/service"
)

func plan(t *testing.T, opt service.Options) service.Plan {
	t.Helper()
	p, err := service.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// What systemd itself says about the units is the proof.
func TestSystemdAcceptsTheUnits(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("there is no systemd-analyze")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, opt := range []service.Options{
		{OS: "linux", Program: program, Home: "/home/ada"},
		{OS: "linux", Program: program, Home: "/home/ada", Config: "/home/ada/my files/config.yaml"},
		{OS: "linux", Program: "/bin/sh", System: true}, // one that is there for everybody
	} {
		for _, f := range plan(t, opt).Files {
			if filepath.Ext(f.Path) != ".service" {
				continue
			}
			at := filepath.Join(t.TempDir(), "sluice.service")
			content := strings.ReplaceAll(f.Content, "User=sluice\nGroup=sluice\n", "User=root\nGroup=root\n") // it is not made here
			if err := os.WriteFile(at, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := exec.CommandContext(t.Context(), analyze, "verify", "--man=no", at).CombinedOutput()
			for line := range strings.SplitSeq(string(out), "\n") {
				if strings.Contains(line, "sluice.service") {
					t.Errorf("%s (%v)\n%s", line, err, content)
				}
			}
		}
	}
}

func TestAServiceOfTheUserRunsAsTheUser(t *testing.T) {
	t.Parallel()
	p := plan(t, service.Options{OS: "linux", Program: "/usr/bin/sluice", Home: "/home/ada", Config: "/home/ada/a b.yaml"})
	if len(p.Files) != 1 || p.Files[0].Path != "/home/ada/.config/systemd/user/sluice.service" {
		t.Errorf("the files are %+v", p.Files)
	}
	for _, want := range []string{`ExecStart=/usr/bin/sluice serve --config "/home/ada/a b.yaml"`, "Restart=always", "WantedBy=default.target"} {
		if !strings.Contains(p.Files[0].Content, want+"\n") {
			t.Errorf("no %s in\n%s", want, p.Files[0].Content)
		}
	}
	if got := p.Install[len(p.Install)-1].String(); got != "systemctl --user restart sluice.service" {
		t.Error(got)
	}
	other := plan(t, service.Options{OS: "linux", Program: "/usr/bin/sluice", Home: "/home/ada", ConfigHome: "/cfg"})
	if other.Files[0].Path != "/cfg/systemd/user/sluice.service" {
		t.Error(other.Files[0].Path)
	}
}

// The agent's user cannot read what a service of the system keeps.
func TestAServiceOfTheSystemHasAUserAndDataOfItsOwn(t *testing.T) {
	t.Parallel()
	p := plan(t, service.Options{OS: "linux", Program: "/usr/bin/sluice", System: true, Home: "/root"})
	all := ""
	for _, f := range p.Files {
		all += f.Path + "\n" + f.Content
		if f.Keep != strings.HasSuffix(f.Path, "config.yaml") {
			t.Errorf("%s is kept: %t", f.Path, f.Keep)
		}
	}
	for _, want := range []string{
		"User=sluice\n", "StateDirectoryMode=0700\n", "UMask=0077\n", "ProtectHome=yes\n", "u sluice - ", "data: /var/lib/sluice\n",
		"ExecStart=/usr/bin/sluice serve --config /etc/sluice/config.yaml\n", "/etc/systemd/system/sluice.service\n",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
}

func TestMacOSGetsAFileToPutInPlace(t *testing.T) {
	t.Parallel()
	p := plan(t, service.Options{OS: "darwin", Program: "/Users/a & b/sluice", Home: "/Users/ada"})
	if !p.Manual || len(p.Install) != 0 || p.Files[0].Path != "/Users/ada/Library/LaunchAgents/org.sluice.gateway.plist" || !strings.Contains(p.Files[0].Content, "/Users/a &amp; b/sluice") {
		t.Errorf("%+v", p)
	}
	decoder := xml.NewDecoder(strings.NewReader(p.Files[0].Content))
	for {
		if _, err := decoder.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestOtherSystemsAreToldWhatToDo(t *testing.T) {
	t.Parallel()
	for system, want := range map[string]string{"windows": "schtasks /Create", "freebsd": "/x/sluice serve", "linux": "cannot be used in a unit"} {
		program := "/x/sluice"
		if system == "linux" {
			program = "/x/sl\"uice"
		}
		if _, err := service.New(service.Options{OS: system, Program: program}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", system, err)
		}
	}
	if _, err := service.New(service.Options{OS: "linux"}); err == nil {
		t.Error("without a program")
	}
}

// Whatever a unit starts and reads is where its own protections let it: a program in
// somebody's home, as go install puts it there, is copied first, and a configuration
// there is refused.
func TestAServiceOfTheSystemStartsWhatItCanRead(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"/home/newc/go/bin", "/root/go/bin", "/run/user/1000", "/tmp/x", "/var/tmp", "/home/../home/ada", "/usr/bin", "/opt/sluice", "/usr/local/bin", "/homes/ada"} {
		program := dir + "/sluice"
		hidden := strings.HasPrefix(filepath.Clean(program), "/home/") || strings.HasPrefix(program, "/root/") || strings.HasPrefix(program, "/run/user/") || strings.HasPrefix(program, "/tmp/") || strings.HasPrefix(program, "/var/tmp/")
		p := plan(t, service.Options{OS: "linux", Program: program, System: true, Home: "/root"})
		started, copies := program, "install -m 755 "+program+" /usr/local/bin/sluice"
		if hidden {
			started = "/usr/local/bin/sluice"
		}
		if !strings.Contains(p.Files[1].Content, "ExecStart="+started+" serve") || !strings.Contains(p.Files[1].Content, "ProtectHome=yes\n") {
			t.Errorf("%s:\n%s", program, p.Files[1].Content)
		}
		if first := p.Install[0].String(); (first == copies) != hidden {
			t.Errorf("%s: the first command is %s", program, first)
		}
		mac := plan(t, service.Options{OS: "darwin", Program: strings.Replace(program, "/home/", "/Users/", 2), System: true, Home: "/Users/ada"})
		if strings.Contains(mac.Files[0].Content, "/Users/newc/go") || hidden != strings.Contains(mac.Notes[0], "sudo install -m 755 ") {
			t.Errorf("%s on macOS: %s\n%s", program, mac.Notes, mac.Files[0].Content)
		}
		_, err := service.New(service.Options{OS: "linux", Program: "/usr/bin/sluice", System: true, Config: dir + "/config.yaml"})
		if (err != nil) != hidden || hidden && !strings.Contains(err.Error(), "put it into /etc/sluice") {
			t.Errorf("a configuration in %s: %v", dir, err)
		}
		own := plan(t, service.Options{OS: "linux", Program: program, Home: "/home/newc", Config: dir + "/config.yaml"})
		if !strings.Contains(own.Files[0].Content, "ExecStart="+program+" serve") {
			t.Errorf("the user's own: %s", own.Files[0].Content)
		}
	}
}
