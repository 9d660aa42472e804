package main

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Wrong usage is reported in one line, with one suggestion.
func TestWrongUsageIsOneLineWithASuggestion(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	for line, want := range map[string]string{
		"serv":                             `sluice has no command "serv": did you mean sluice serve?`,
		"inspct --sample":                  `sluice has no command "inspct": did you mean sluice inspect?`,
		"inspct x -o y":                    `sluice has no command "inspct": did you mean sluice inspect?`,
		"policy tyr --shell ls":            `sluice policy has no command "tyr": did you mean sluice policy try?`,
		"keys nwe --force":                 "did you mean sluice keys new?",
		"inspect --sampel":                 "unknown flag: --sampel: did you mean --sample?",
		"polcy check x":                    "did you mean sluice policy?",
		"xyzzyx":                           "see sluice --help",
		"policy chek":                      "did you mean sluice policy check?",
		"hook claude":                      "did you mean sluice hook claude-code?",
		"serve --lisen x":                  "unknown flag: --lisen: did you mean --listen?",
		"serve --policie x":                "did you mean --policies?",
		"run --shadw -- true":              "did you mean --shadow?",
		"serve --qqqqqqqqqqqqqqqq":         "see sluice serve --help",
		"serve -z":                         "unknown flag: -z: see sluice serve --help",
		"policy try --shell a --cwd /w":    "unknown flag: --cwd: did you mean --session-cwd?",
		"run --home /h -- true":            "did you mean --session-home?",
		"serve --token x":                  "see sluice serve --help",
		"serve --listen":                   "--listen needs a value after it",
		"connect claude --part two":        `--part: "two" is not a whole number`,
		"serve here":                       `sluice serve takes no arguments, but got "here"`,
		"recode":                           "takes one FILE, but got 0",
		"doctor claude codex":              `takes at most one CLIENT; "codex" is one too many`,
		"connect cluade":                   "did you mean claude?",
		"doctor codx":                      "did you mean codex?",
		"doctor emacs":                     "use one of claude, codex, opencode, qwen, gemini",
		"doctor --run --url http://x":      "leave --url out",
		"policy try --shell a --tool b":    "--shell and --tool cannot be combined: give one of them, see sluice policy try --help",
		"policy show --json --markdown x":  "--json and --markdown cannot be combined",
		"keys list x":                      `sluice keys list takes no arguments, but got "x"`,
		"policy try --shell a --now later": "--now is \"later\": write a time like",
		"policy try --request x --shell a": "--request x: ",
		"inspect no-such-file":             "no-such-file does not exist",
		"recode no-such-file":              "no-such-file does not exist",
		"run -- ./no-such-program":         "./no-such-program does not exist",
		"run -- no-such-program":           "no-such-program is not installed, or not in PATH",
		"serve --config no-such-file.yaml": "no-such-file.yaml",
		"help polcy":                       "did you mean sluice policy?",
		"help policy chek":                 "did you mean sluice policy check?",
		"help version x":                   `sluice version has no commands of its own, but got "x"`,
		"policy check --policies x":        "name the files without it, as in sluice policy check [flags] FILE...",
		"policy show destructive":          "did you mean destructive-",
		"policy new no-such-dir/x.yaml":    "the directory no-such-dir does not exist",
		"completion":                       "takes one SHELL (bash, zsh, fish, powershell), but got 0",
		"completion tcsh":                  "use bash, zsh, fish or powershell",
		"doctor --url foo":                 `--url: "foo" is not the URL of a gateway: write one like http://127.0.0.1:8484`,
		"connect claude --url ftp://x":     `--url: "ftp://x" is not the URL of a gateway`,
		"run --listen 0.0.0.0:1 -- true":   "--listen 0.0.0.0:1 is not a loopback address",
	} {
		code, out, errs := sluice(t, "", strings.Fields(line)...)
		errs = errs[strings.LastIndex(strings.TrimSuffix(errs, "\n"), "\n")+1:] // run announces the program first
		if code != exitUnreadable || out != "" || !strings.Contains(errs, want) || strings.Count(errs, "did you mean") > 1 {
			t.Errorf("sluice %s: exit code %d, want %q\n%s%s", line, code, want, out, errs)
		}
		for _, raw := range []string{"dial tcp", "fork/exec", "⏎", "arg(s)", "strconv", "flags in the group", "unknown command"} {
			if strings.Contains(errs, raw) {
				t.Errorf("sluice %s says %q: %s", line, raw, errs)
			}
		}
	}
}

// Whatever the number of arguments, a command that refuses them says in its own words
// what it takes.
func TestEveryCommandSaysHowManyArgumentsItTakes(t *testing.T) {
	refused := 0
	var visit func(*cobra.Command)
	visit = func(cmd *cobra.Command) {
		for n := range 13 {
			args := make([]string, n)
			for i := range args {
				args[i] = "x" + string(rune('a'+i))
			}
			if cmd.Args == nil {
				continue
			}
			if err := cmd.Args(cmd, args); err != nil {
				refused++
				text := plainUsage(cmd.Root(), nil, err).Error()
				if !strings.HasPrefix(text, strings.TrimPrefix(cmd.CommandPath(), "sluice ")) && !strings.HasPrefix(text, cmd.CommandPath()) && !strings.HasPrefix(text, "name a ") {
					t.Errorf("%s with %d arguments: %s", cmd.CommandPath(), n, text)
				}
			}
		}
		for _, c := range cmd.Commands() {
			visit(c)
		}
	}
	visit(newRoot())
	if refused < 50 {
		t.Errorf("only %d command lines were refused", refused)
	}
}

// The help of the program promises that each command says what its exit codes mean.
func TestEveryHelpSaysTheExitCodes(t *testing.T) {
	var visit func(*cobra.Command)
	visit = func(cmd *cobra.Command) {
		if !cmd.HasSubCommands() && !strings.Contains(cmd.Long, "Exit codes:") {
			t.Errorf("%s --help does not say the exit codes", cmd.CommandPath())
		}
		for _, c := range cmd.Commands() {
			visit(c)
		}
	}
	visit(newRoot())
}

// The text of a help fits a terminal of 84 columns.
func TestHelpFitsATerminal(t *testing.T) {
	var visit func(*cobra.Command)
	visit = func(cmd *cobra.Command) {
		for line := range strings.SplitSeq(cmd.Long, "\n") {
			if len(line) > 84 {
				t.Errorf("%s --help: %d columns: %s", cmd.CommandPath(), len(line), line)
			}
		}
		for _, c := range cmd.Commands() {
			visit(c)
		}
	}
	visit(newRoot())
}

// Every command line that a help text shows is one that the program accepts: its
// commands and flags are there.
func TestTheExamplesOfTheHelpAreAccepted(t *testing.T) {
	shown := 0
	var visit func(*cobra.Command)
	visit = func(cmd *cobra.Command) {
		for line := range strings.SplitSeq(cmd.Example, "\n") {
			if line = strings.TrimSpace(line); strings.HasPrefix(line, "sluice ") {
				shown++
				accept(t, line)
			}
		}
		for _, c := range cmd.Commands() {
			visit(c)
		}
	}
	visit(newRoot())
	if shown < 30 {
		t.Errorf("only %d examples were found", shown)
	}
}

func accept(t *testing.T, line string) {
	t.Helper()
	line, _, _ = strings.Cut(line, "  ") // what follows explains it
	for _, to := range []string{"jq", "sluice", "man"} {
		line, _, _ = strings.Cut(line, " | "+to)
	}
	line, _, _ = strings.Cut(line, " > ")
	root := newRoot()
	cmd, rest, err := root.Find(shellWords(line)[1:])
	if err == nil && cmd == root && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
		err = unknownCommand(root, rest[0])
	}
	if err == nil {
		if at := slices.Index(rest, "--"); at >= 0 {
			rest = rest[:at]
		}
		err = cmd.ParseFlags(rest)
	}
	if err != nil && !errors.Is(err, pflag.ErrHelp) {
		t.Errorf("%s: %v", line, err)
	}
}

// shellWords splits a line as a shell does, as far as the examples need it.
func shellWords(line string) (list []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			list = append(list, part)
		} else {
			list = append(list, strings.Fields(part)...)
		}
	}
	return list
}

// Each line of the doctor that fails says what was expected, what was found and
// what to do.
func TestTheDoctorSaysWhatWasExpectedFoundAndToDo(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", "")
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := "http://" + closed.Addr().String()
	_ = closed.Close()
	for _, args := range [][]string{{"doctor", "--url", nobody}, {"doctor", "claude", "--url", nobody}} {
		code, out, errs := sluice(t, "", args...)
		fails := strings.Count(out, "FAIL")
		if code != exitIncomplete || fails == 0 || strings.Contains(out, "dial tcp") || !strings.Contains(out, "found:    nothing listens at "+nobody[7:]) {
			t.Errorf("%v: exit code %d\n%s%s", args, code, out, errs)
		}
		for _, part := range []string{"expected: ", "found:    ", "to do:    "} {
			if strings.Count(out, part) != fails {
				t.Errorf("%v: not each of %d failures says %q:\n%s", args, fails, part, out)
			}
		}
		_, out, _ = sluice(t, "", append(args, "--json")...)
		for _, part := range []string{`"gateway":"` + nobody, `"private":false`, `"protected":false`, `"expected":"`, `"detail":"`, `"advice":"`} {
			if !strings.Contains(out, part) {
				t.Errorf("%v: no %s in %s", args, part, out)
			}
		}
	}
}

// The doctor can prove the path of `sluice run`: a private gateway is started as
// run starts it, with the same configuration.
func TestTheDoctorProvesThePathOfRun(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("SLUICE_LISTEN", "")
	for _, args := range [][]string{{"doctor", "--run"}, {"doctor", "--run", "--json"}} {
		code, out, errs := sluice(t, "", args...)
		if code != exitOK || !strings.Contains(out, "run") && !strings.Contains(out, `"private":true`) {
			t.Errorf("%v: exit code %d\n%s%s", args, code, out, errs)
		}
	}
	client := standIn(t, "claude", "echo 2.1.0")
	t.Setenv("PATH", client[:strings.LastIndex(client, "/")])
	if code, out, errs := sluice(t, "", "doctor", "--run", "claude"); code != exitOK || !strings.Contains(out, "PROTECTED with `sluice run`") || strings.Contains(out, "FAIL") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
	t.Setenv("SLUICE_POLICIES", "preset:shadow")
	if code, out, errs := sluice(t, "", "doctor", "--run"); code != exitIncomplete || !strings.Contains(out, "came through") {
		t.Errorf("policies that block nothing: exit code %d\n%s%s", code, out, errs)
	}
}

// A configured gateway that does not answer is never replaced by a private one.
func TestTheDoctorDoesNotPassOverAGatewayThatIsDown(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", "")
	server := httptest.NewServer(nil)
	down := server.Listener.Addr().String()
	server.Close()
	t.Setenv("SLUICE_LISTEN", down)
	if code, out, _ := sluice(t, "", "doctor"); code != exitIncomplete || !strings.Contains(out, "nothing listens at "+down) {
		t.Errorf("configured: exit code %d\n%s", code, out)
	}
	t.Setenv("SLUICE_LISTEN", "")
	t.Setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:8484")
	if names := settledClients("http://127.0.0.1:8484"); !slices.Contains(names, "claude") {
		t.Errorf("Claude Code is set up, and only %v are known to be", names)
	}
}

// A client whose own settings name a gateway elsewhere is checked with that one: it is dead
// while nothing listens there. What else answers there is an upstream of `sluice run`.
func TestTheDoctorAsksTheGatewayInTheSettingsOfTheClient(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("SLUICE_LISTEN", "")
	t.Setenv("ANTHROPIC_BASE_URL", "")
	client := standIn(t, "claude", "echo 2.1.0")
	t.Setenv("PATH", client[:strings.LastIndex(client, "/")])
	other := httptest.NewServer(http.NotFoundHandler())
	address := other.URL
	if code, _, errs := sluice(t, "", "connect", "claude", "--url", address, "--write"); code != exitOK {
		t.Fatal(errs)
	}
	if code, out, _ := sluice(t, "", "doctor", "claude"); code != exitOK || !strings.Contains(out, "PROTECTED with `sluice run`") {
		t.Errorf("another proxy: exit code %d\n%s", code, out)
	}
	other.Close()
	if code, out, _ := sluice(t, "", "doctor", "claude"); code != exitIncomplete || !strings.Contains(out, "gateway "+address) || !strings.Contains(out, "the settings of Claude Code name this address") {
		t.Errorf("a gateway that is down: exit code %d\n%s", code, out)
	}
	if code, out, _ := sluice(t, "", "doctor"); code != exitOK {
		t.Errorf("no client: exit code %d\n%s", code, out)
	}
}

// What cannot be read, written or started ends with the same code in every command, and
// says what to do.
func TestWhatCannotBeReadEndsWithTheSameCode(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_DATA_HOME", "")
	bad := filepath.Join(dir, "bad.yaml")
	if err := os.WriteFile(bad, []byte("policies: [\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	gone := filepath.Join(dir, "gone")
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"policy", "check", gone + ".yaml"}, exitUnreadable, "cannot be read: no such file"},
		{[]string{"policy", "check", bad}, exitIncomplete, bad + ":1:11: the file is not YAML: a list or a mapping in brackets has no end"},
		{[]string{"policy", "list", gone + ".yaml"}, exitUnreadable, "cannot be read"},
		{[]string{"policy", "show", "x", gone + ".yaml"}, exitUnreadable, "cannot be read"},
		{[]string{"policy", "try", "--policies", gone + ".yaml", "--shell", "ls"}, exitUnreadable, "cannot be read"},
		{[]string{"policy", "try", "--policies", bad, "--shell", "ls"}, exitIncomplete, "not YAML"},
		{[]string{"policy", "try", gone + ".sse"}, exitUnreadable, "does not exist"},
		{[]string{"policy", "try", "rm -rf /"}, exitUnreadable, "write --shell before it"},
		{[]string{"policy", "try", "--sample", "--output", gone + "/x/y"}, exitUnreadable, "gone"},
		{[]string{"inspect", gone}, exitUnreadable, "gone"},
		{[]string{"recode", gone}, exitUnreadable, "gone"},
		{[]string{"serve", "--listen", taken.Addr().String()}, exitUnreadable, "in use"},
		{[]string{"serve", "--policies", gone}, exitUnreadable, "cannot be read"},
		{[]string{"policy", "program", "shipit"}, exitUnreadable, "--policies FILE"},
		{[]string{"keys", "list"}, exitOK, "no keys: issue one"},
	} {
		if code, out, errs := sluice(t, "", c.args...); code != c.code || !strings.Contains(out+errs, c.want) {
			t.Errorf("%v: exit code %d, want %d\n%s%s", c.args, code, c.code, out, errs)
		}
	}
	for _, args := range [][]string{{"keys", "new", "ada"}, {"keys", "revoke", "--force", "ada"}} {
		if code, out, errs := sluice(t, "", args...); code != exitOK {
			t.Fatalf("%v: exit code %d\n%s%s", args, code, out, errs)
		}
	}
	if _, out, _ := sluice(t, "", "keys", "list"); !strings.Contains(out, "every request is refused") {
		t.Errorf("when all are revoked: %s", out)
	}
}

// What listens at a gateway's address and is none is named when a client is set up for it.
func TestConnectNoticesThatSomethingElseListens(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	if code, out, errs := sluice(t, "", "connect", "claude", "--write", "--url", other.URL); code != exitOK || !strings.Contains(errs, "what listens at "+other.URL+" does not answer as a gateway should") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}
