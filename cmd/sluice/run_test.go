package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
)

// TestAgentProcess is not a test: it is the program that TestRun... start behind
// a gateway. It asks the model in the base URL once and exits with a code.
func TestAgentProcess(t *testing.T) {
	todo := os.Getenv("SLUICE_TEST_AGENT")
	if todo == "" {
		t.Skip("this is the program that other tests start")
	}
	base := os.Getenv("ANTHROPIC_BASE_URL")
	if strings.HasPrefix(todo, "ask") {
		res, err := http.Post(base+"/v1/messages", "application/json",
			strings.NewReader(`{"model":"scripted","max_tokens":9,"messages":[{"role":"user","content":"hi"}],"system":"`+os.Getenv("SLUICE_TEST_PROMPT")+`"}`))
		if err != nil {
			fmt.Println(err)
			os.Exit(99)
		}
		body, _ := io.ReadAll(res.Body)
		_ = res.Body.Close()
		fmt.Printf("status %d\n%s\n", res.StatusCode, body)
	}
	if rules := os.Getenv("SLUICE_TEST_WEAKEN"); rules != "" {
		weaken(base, rules)
	}
	for _, entry := range os.Environ() {
		fmt.Println("env " + entry)
	}
	code, _ := strconv.Atoi(strings.TrimLeft(todo, "askidle "))
	os.Exit(code)
}

// weaken writes other policies and has the gateway read them again, as an agent would
// that nobody guards.
func weaken(base, rules string) {
	token, err := os.ReadFile(filepath.Join(filepath.Dir(rules), "admin-token"))
	if err == nil {
		err = os.WriteFile(rules, []byte("policies:\n  - {name: nothing, when: 'call.name == \"x\"', then: block}\n"), 0o600)
	}
	var req *http.Request
	if err == nil {
		req, err = http.NewRequest(http.MethodPost, base+"/admin/reload", http.NoBody)
	}
	if err == nil {
		req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
		var res *http.Response
		if res, err = http.DefaultClient.Do(req); err == nil {
			_ = res.Body.Close()
		}
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(99)
	}
}

// runAgent runs the program above through `sluice run`.
func runAgent(t *testing.T, todo string, flags ...string) (code int, stdout, stderr string) {
	t.Helper()
	upstream := httptest.NewServer(demoUpstream(demoModel()))
	defer upstream.Close()
	t.Setenv("SLUICE_TEST_AGENT", todo)
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("XDG_DATA_HOME", "")
	for _, name := range []string{"ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "GOOGLE_GEMINI_BASE_URL"} {
		t.Setenv(name, "")
	}
	args := append([]string{"run", "--upstream-anthropic", upstream.URL, "--data", t.TempDir()}, flags...)
	args = append(args, "--", os.Args[0], "-test.run=^TestAgentProcess$", "-test.v=false")
	var out, errs bytes.Buffer
	code = run(context.Background(), args, nil, &out, &errs)
	return code, out.String(), errs.String()
}

func TestRunStartsAProgramBehindAGateway(t *testing.T) {
	code, out, errs := runAgent(t, "ask 7")
	if code != 7 {
		t.Errorf("exit code %d, want the program's own, 7\n%s", code, errs)
	}
	for _, want := range []string{"du -sh build", "Sluice blocked the tool call Bash"} {
		if !strings.Contains(out, want) {
			t.Errorf("the program did not get %q:\n%s", want, out)
		}
	}
	if strings.Contains(out, "preserve-root") {
		t.Errorf("the blocked call reached the program:\n%s", out)
	}
	for _, want := range []string{"1 request, 2 tool calls judged, 1 blocked", "blocked Bash by destructive-files: delete /", ", and everything in it (1x)", "log: "} {
		if !strings.Contains(errs, want) {
			t.Errorf("the summary does not say %q:\n%s", want, errs)
		}
	}
}

func TestRunSaysThatThePoliciesBecameWeaker(t *testing.T) {
	for _, tc := range []struct {
		name, todo, pinned, want string
		flags                    []string
	}{
		{"with the summary", "ask 0", "", "sluice: NOTE: the policies in force have become weaker: no-shell was removed\n", nil},
		{"without a summary", "ask 0", "", "sluice: NOTE: the policies in force have become weaker: no-shell was removed\n", []string{"-q"}},
		{"when nothing was asked", "idle 0", "", "sluice: NOTE: the policies in force have become weaker: no-shell was removed\n", nil},
		{"where they are pinned", "ask 0", "true", "sluice: NOTE: weaker policies were refused, because they are pinned: no-shell was removed\n", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			rules := filepath.Join(dir, "rules.yaml")
			if err := os.WriteFile(rules, []byte("policies:\n  - {name: no-shell, when: 'call.kind == \"shell\"', then: block}\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			t.Setenv("SLUICE_TEST_WEAKEN", rules)
			t.Setenv("SLUICE_POLICIES_PINNED", tc.pinned)
			_, out, errs := runAgent(t, tc.todo, append(tc.flags, "--data", dir, "--policies", rules)...)
			if !strings.Contains(errs, tc.want) {
				t.Errorf("the end does not say %q:\n%s\n%s", tc.want, errs, out)
			}
		})
	}
}

func TestATallyKeepsTheLastNotices(t *testing.T) {
	var kept tally
	for i := range mostNotices + 1 {
		kept.notice(strconv.Itoa(i))
	}
	if len(kept.notices) != mostNotices || kept.notices[0] != "1" {
		t.Errorf("it keeps %q", kept.notices)
	}
}

// The program is what is guarded: it does not get the credentials of the gateway.
func TestRunKeepsTheGatewaysSecrets(t *testing.T) {
	secrets := map[string]string{
		"SLUICE_KEYS": "ada=slk_abcdefghijklmnopqrstuvwxyz", "SLUICE_KEY": "slk_zyxwvutsrqponmlkjihgfedcba", "SLUICE_TOKEN": "a-token-of-twenty-letters", "SLUICE_ADMIN_TOKEN": "another-token-of-twenty",
		"SLUICE_SIGNING_SECRET": "a-secret", "GATEWAY_TOKEN": "the-admin-token-of-this-one", "CI_KEY": "slk_cicicicicicicicicicici",
	}
	kept := map[string]string{"SLUICE_LOG_LEVEL": "debug", "SLUICE_ADMIN_TOKEN_ENV": "GATEWAY_TOKEN", "OPENAI_API_KEY": "sk-mine", "ANTHROPIC_API_KEY": "sk-ant-mine"}
	config := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(config, []byte("admin: {token_env: GATEWAY_TOKEN}\nkeys:\n  - {name: ci, key_env: CI_KEY}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, set := range []map[string]string{secrets, kept} {
		for name, value := range set {
			t.Setenv(name, value)
		}
	}
	for _, with := range []string{"", config} {
		if with != "" {
			t.Setenv("SLUICE_KEYS", "") // it would win over those of the file
		}
		var flags []string
		if with != "" {
			flags = []string{"--config", with}
		}
		code, out, errs := runAgent(t, "ask 0", flags...)
		if code != exitOK {
			t.Fatalf("exit code %d: %s", code, errs)
		}
		for name, value := range secrets {
			if name == "CI_KEY" && with == "" {
				continue // nothing marks it as a secret
			}
			if strings.Contains(out, "env "+name+"="+value) || strings.Contains(out, value) {
				t.Errorf("%s reaches the program", name)
			}
		}
		for name, value := range kept {
			if !strings.Contains(out, "env "+name+"="+value) {
				t.Errorf("%s does not reach the program", name)
			}
		}
	}
}

// Calls that are text are not judged. The user is told so, even with --quiet; the
// exit code stays the program's.
func TestRunSaysWhatIsNotJudged(t *testing.T) {
	const said = "NOT JUDGED: 1 request had the model write calls as text, in the form of edits in fences (aider)"
	for _, flags := range [][]string{nil, {"--quiet"}} {
		t.Setenv("SLUICE_TEST_PROMPT", "Describe each change with a *SEARCH/REPLACE block*.")
		if code, _, errs := runAgent(t, "ask 7", flags...); code != 7 || !strings.Contains(errs, said) {
			t.Errorf("exit code %d: %s", code, errs)
		}
		t.Setenv("SLUICE_TEST_PROMPT", "Be helpful.")
		if _, _, errs := runAgent(t, "ask 7", flags...); strings.Contains(errs, "NOT JUDGED") {
			t.Errorf("it is said of an agent whose calls are judged: %s", errs)
		}
	}
}

func TestRunInShadowOnlyObserves(t *testing.T) {
	code, out, errs := runAgent(t, "ask 0", "--shadow")
	if code != exitOK || strings.Contains(out, "Sluice blocked") || !strings.Contains(out, "preserve-root") {
		t.Errorf("exit code %d; nothing must be blocked:\n%s", code, out)
	}
	for _, want := range []string{"0 blocked (only observed; 1 would have been)", "would block Bash by destructive-files", ": delete /", ", and everything in it (1x)"} {
		if !strings.Contains(errs, want) {
			t.Errorf("the summary does not say %q:\n%s", want, errs)
		}
	}
}

func TestRunSaysWhenNothingWasProtected(t *testing.T) {
	code, _, errs := runAgent(t, "idle 0", "--quiet")
	if code != exitUnprotected || !strings.Contains(errs, "NOT PROTECTED: no request went through Sluice") {
		t.Errorf("exit code %d, want %d:\n%s", code, exitUnprotected, errs)
	}
}

func TestRunKeepsOnlyTheLatestLogs(t *testing.T) {
	dir := t.TempDir()
	old := func(i int) string { return filepath.Join(dir, fmt.Sprintf("run-20260101-0000%02d-7.log", i)) }
	other := filepath.Join(dir, "run.log")
	for i := range mostRunLogs {
		if err := os.WriteFile(old(i), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(other, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	left := func() int {
		t.Helper()
		pruneRunLogs(dir)
		files, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		return len(files) - 1 // without the other one
	}
	if n := left(); n != mostRunLogs {
		t.Errorf("%d of %d logs are left", n, mostRunLogs)
	}
	if err := os.WriteFile(old(mostRunLogs), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if n := left(); n != mostRunLogs {
		t.Errorf("%d logs are left, want %d", n, mostRunLogs)
	}
	if _, err := os.Stat(old(0)); err == nil {
		t.Error("the oldest is still there")
	}
	if _, err := os.Stat(other); err != nil {
		t.Error("a file that is no log of a run was removed")
	}
}

// The help says on which address a private gateway listens, and that is what it
// does, whatever is set for sluice serve.
func TestRunSaysWhereItListens(t *testing.T) {
	_, help, _ := sluice(t, "", "run", "--help")
	if strings.Contains(help, "127.0.0.1:8484") || !strings.Contains(help, "default a free port of 127.0.0.1") {
		t.Errorf("the help says\n%s", help)
	}
	t.Setenv("SLUICE_LISTEN", "127.0.0.1:8484")
	_, out, errs := runAgent(t, "ask 0")
	if !strings.Contains(out, "env ANTHROPIC_BASE_URL=http://127.0.0.1:") || strings.Contains(out, "env ANTHROPIC_BASE_URL=http://127.0.0.1:8484") {
		t.Errorf("it listens elsewhere:\n%s%s", out, errs)
	}
}

// A gateway for one program on this machine has no flags for shared gateways.
func TestRunHasNoFlagsForOthers(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	for _, flag := range []string{"--tls-cert", "--tls-key", "--insecure"} {
		if code, _, errs := sluice(t, "", "run", flag, "x", "--", "true"); code != exitUnreadable || !strings.Contains(errs, "unknown flag: "+flag) {
			t.Errorf("%s: exit code %d, %s", flag, code, errs)
		}
		if _, out, _ := sluice(t, "", "serve", "--help"); !strings.Contains(out, flag) {
			t.Errorf("serve has no %s", flag)
		}
	}
}

// The configuration of a shared gateway does not make a private one speak TLS,
// with a certificate that the program does not know.
func TestRunDoesWithoutTheCertificateOfASharedGateway(t *testing.T) {
	pem := write(t, "pem", "no certificate")
	t.Setenv("SLUICE_TLS_CERT", pem)
	t.Setenv("SLUICE_TLS_KEY", pem)
	if code, _, errs := runAgent(t, "ask 0"); code != exitOK {
		t.Errorf("exit code %d\n%s", code, errs)
	}
}

func TestATallyCountsNoCanaries(t *testing.T) {
	var sum tally
	call := &policy.Record{Kind: llm.ToolCall, Name: "Bash", Verdict: policy.Verdict{Action: policy.Block}}
	tell := func(canary bool) {
		x := &gateway.Exchange{Policies: "v", Canary: canary}
		sum.note(gateway.Event{Exchange: x})
		sum.note(gateway.Event{Exchange: x, Record: call})
		sum.note(gateway.Event{Exchange: x, End: &gateway.End{Outcome: gateway.Refused}})
	}
	tell(true)
	if sum.requests != 0 || sum.other != 0 || sum.calls != 0 || len(sum.blocked) != 0 || len(sum.failed) != 0 {
		t.Errorf("a canary is counted: %s", sum.summary(false, ""))
	}
	tell(false)
	if sum.requests == 0 || sum.calls != 1 || len(sum.blocked) != 1 {
		t.Errorf("a request is not counted: %s", sum.summary(false, ""))
	}
}

func TestRunRefusesWhatCannotWork(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no command":              {[]string{"run"}, "name a program to start"},
		"a program that is not":   {[]string{"run", "--data", t.TempDir(), "--", "no-such-program-here"}, "no-such-program-here"},
		"the audit on a terminal": {[]string{"run", "--audit-log", "-", "--", "true"}, "name a file for the audit log"},
		"no policies":             {[]string{"run", "--policies", "/does/not/exist.yaml", "--", "true"}, "/does/not/exist.yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			var out, errs bytes.Buffer
			if code := run(t.Context(), c.args, nil, &out, &errs); code != exitUnreadable || !strings.Contains(errs.String(), c.want) {
				t.Errorf("exit code %d, message %q, want 2 and %q", code, errs.String(), c.want)
			}
		})
	}
}

func TestDemoPlaysATurn(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"demo", "--once", "--listen", "127.0.0.1:0"}, nil, &out, &errs); code != exitOK {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	for _, want := range []string{"du -sh build  allowed", "no text may follow a call", "BLOCKED by the policy destructive-files", "tool_call        Bash", "tool_result", "I leave the rest to you"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the demo does not show %q:\n%s", want, out.String())
		}
	}
}

func TestDemoStaysUpUntilItIsInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	reader, writer := io.Pipe()
	done := make(chan int, 1)
	go func() {
		done <- run(ctx, []string{"demo", "--listen", "127.0.0.1:0"}, nil, writer, io.Discard)
		_ = writer.Close()
	}()
	var seen strings.Builder
	buf := make([]byte, 4096)
	for !strings.Contains(seen.String(), "Ctrl-C") {
		n, err := reader.Read(buf)
		if err != nil {
			t.Fatalf("%v after:\n%s", err, seen.String())
		}
		seen.Write(buf[:n])
	}
	go func() { _, _ = io.Copy(io.Discard, reader) }()
	_, after, _ := strings.Cut(seen.String(), "curl -N ")
	url, _, _ := strings.Cut(after, "/v1/messages")
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"doctor", "--url", url}, nil, &out, &errs); code != exitOK || !strings.Contains(out.String(), "PROTECTED: a destructive call does not get through") {
		t.Errorf("doctor: exit code %d\n%s%s", code, out.String(), errs.String())
	}
	for _, path := range []string{"/v1/chat/completions", "/v1/responses", "/v1beta/models/scripted:generateContent", "/v1/models"} {
		method, body := http.MethodPost, `{"model":"scripted","messages":[{"role":"user","content":"hi"}],"input":"hi","contents":[{"parts":[{"text":"hi"}]}]}`
		if path == "/v1/models" {
			method, body = http.MethodGet, ""
		}
		req, _ := http.NewRequestWithContext(ctx, method, url+path, strings.NewReader(body))
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		got, _ := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if res.StatusCode != http.StatusOK || bytes.Contains(got, []byte("preserve-root")) {
			t.Errorf("%s: %d\n%s", path, res.StatusCode, got)
		}
	}
	interrupt()
	if code := <-done; code != exitOK {
		t.Errorf("exit code %d after an interrupt", code)
	}
}

func TestDoctorSaysWhenNobodyIsThere(t *testing.T) {
	var out, errs bytes.Buffer
	code := run(t.Context(), []string{"doctor", "--url", "http://127.0.0.1:1"}, nil, &out, &errs)
	if code != exitIncomplete || !strings.Contains(out.String(), "NOT PROTECTED") || !strings.Contains(out.String(), "sluice serve") {
		t.Errorf("exit code %d\n%s%s", code, out.String(), errs.String())
	}
}

func TestDoctorSaysWhenTheCallComesThrough(t *testing.T) {
	open := httptest.NewServer(demoUpstream(demoModel()))
	defer open.Close()
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"doctor", "--url", open.URL, "--json"}, nil, &out, &errs); code != exitIncomplete || !strings.Contains(out.String(), `"protected":false,"checks":[{"name":"`) {
		t.Errorf("exit code %d\n%s%s", code, out.String(), errs.String())
	}
}

// A canary proves nothing of calls that are text, and the doctor says so.
func TestDoctorSaysWhatIsNotJudged(t *testing.T) {
	upstream := httptest.NewServer(demoUpstream(demoModel()))
	defer upstream.Close()
	loaded, err := file.Load(file.Options{}, "preset:recommended")
	if err != nil {
		t.Fatal(err)
	}
	g, err := gateway.New(gateway.Config{Upstreams: gateway.Upstreams{Anthropic: gateway.Upstream{URL: upstream.URL}}, Policies: policy.NewLive(loaded.Set)})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	front := httptest.NewServer(g)
	defer front.Close()
	for _, asked := range []bool{false, true} {
		if asked {
			res, err := http.Post(front.URL+"/v1/messages", "application/json",
				strings.NewReader(`{"model":"m","max_tokens":9,"system":"Use a *SEARCH/REPLACE block*.","messages":[{"role":"user","content":"hi"}]}`))
			if err != nil {
				t.Fatal(err)
			}
			_ = res.Body.Close()
		}
		var out, errs bytes.Buffer
		if code := run(t.Context(), []string{"doctor", "--url", front.URL}, nil, &out, &errs); code != exitOK || strings.Contains(out.String(), "(aider). These are not judged") != asked {
			t.Errorf("exit code %d, asked %t\n%s%s", code, asked, out.String(), errs.String())
		}
	}
}

func TestConnectPrintsSettings(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	for _, name := range []string{"claude", "codex", "opencode", "qwen", "gemini"} {
		for _, more := range [][]string{nil, {"--managed"}, {"--json"}} {
			var out, errs bytes.Buffer
			code := run(t.Context(), append([]string{"connect", name, "--url", "http://127.0.0.1:9999/v1/"}, more...), nil, &out, &errs)
			if code != exitOK || !strings.Contains(out.String(), "http://127.0.0.1:9999") || strings.Contains(out.String(), "/v1/v1") {
				t.Errorf("%s %v: exit code %d\n%s%s", name, more, code, out.String(), errs.String())
			}
		}
	}
	code, out, errs := sluice(t, "", "connect", "gemini", "--json")
	for _, key := range []string{`[{"title":"`, `"places":[{"os":"Linux","path":"`, `"content":"`, `"notes":["`, `"check":"`} {
		if code != exitOK || !json.Valid([]byte(out)) || !strings.Contains(out, key) {
			t.Errorf("exit code %d, no %s\n%s%s", code, key, out, errs)
		}
	}
}

// What is printed can be put into a file as it is.
func TestConnectPrintsNothingButTheFile(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	for _, args := range [][]string{{"claude"}, {"claude", "--managed"}, {"opencode"}, {"qwen"}, {"gemini", "--part", "2"}, {"gemini", "--part", "2", "--managed"}} {
		code, out, errs := sluice(t, "", append([]string{"connect"}, args...)...)
		if code != exitOK || !json.Valid([]byte(out)) || !strings.Contains(errs, "settings.json") && !strings.Contains(errs, "opencode.json") || !strings.Contains(errs, "sluice doctor") {
			t.Errorf("%v: exit code %d\n%s%s", args, code, out, errs)
		}
	}
	if _, out, errs := sluice(t, "", "connect", "gemini", "--url", "http://127.0.0.1:9999"); !strings.HasPrefix(out, "GOOGLE_GEMINI_BASE_URL=") || !strings.Contains(errs, "part 2 of 2") {
		t.Errorf("it prints\n%s%s", out, errs)
	}
	for _, part := range []string{"3", "-1"} {
		if code, out, errs := sluice(t, "", "connect", "gemini", "--part", part); code != exitUnreadable || out != "" || !strings.Contains(errs, "numbered 1 to 2") {
			t.Errorf("part %s: exit code %d\n%s%s", part, code, out, errs)
		}
	}
}

func TestConnectKnowsItsClients(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"connect", "emacs"}, nil, &out, &errs); code != exitUnreadable || !strings.Contains(errs.String(), "claude, codex") {
		t.Errorf("an unknown client: exit code %d, %s", code, errs.String())
	}
}
