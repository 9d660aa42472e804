package e2e

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// What gateways of the tests enforce.
const (
	recommended = "policies:\n  - preset: recommended\n"
	// nothing has a policy because a gateway wants one, and it never applies.
	nothing = "preset: none\npolicies:\n  - name: nothing\n    when: call.name == 'no_such_tool'\n    then: block\n    reason: Never.\n"
)

// reason is what the preset says about the destructive command.
const reason = "This would delete, move away or open up more than a project's own files."

// TestMain builds the program under test once, unless SLUICE_E2E_PROGRAM names one.
func TestMain(m *testing.M) {
	os.Exit(withProgram(m.Run))
}

const programVariable = "SLUICE_E2E_PROGRAM"

func withProgram(run func() int) int {
	if os.Getenv("SLUICE_E2E") == "" || os.Getenv(programVariable) != "" {
		return run()
	}
	directory, err := os.MkdirTemp("", "sluice-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(directory) }()
	program := filepath.Join(directory, "sluice")
	build := exec.Command("go", "build", "-o", program, "./cmd/sluice")
	build.Dir = filepath.Join("..", "..") // the module of the program, not that of these tests
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "building sluice:", err)
		return 1
	}
	if err := os.Setenv(programVariable, program); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return run()
}

// running is a `sluice serve` of its own process.
type running struct {
	URL string
	log *bytes.Buffer
}

// startGateway starts the gateway in front of the upstream for as long as the test lasts. What it said is shown
// when the test fails.
func startGateway(t testing.TB, up *upstream, policies string) *running {
	t.Helper()
	clients(t)
	directory := t.TempDir()
	file := filepath.Join(directory, "policies.yaml")
	if err := os.WriteFile(file, []byte(policies), 0o600); err != nil {
		t.Fatal(err)
	}
	address := freeAddress(t)
	arguments := append([]string{"serve", "--listen", address, "--policies", file, "--data", filepath.Join(directory, "data")}, upstreamFlags(up)...)
	cmd := exec.Command(os.Getenv(programVariable), arguments...)
	cmd.Dir = directory
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + directory}
	gateway := &running{URL: "http://" + address, log: &bytes.Buffer{}}
	cmd.Stdout, cmd.Stderr = gateway.log, gateway.log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			_ = cmd.Process.Kill()
			<-ended
			t.Error("the gateway does not end when it is asked to")
		}
		if t.Failed() {
			t.Logf("the gateway said:\n%s", gateway.log)
		}
	})
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		conn, err := net.DialTimeout("tcp", address, time.Second)
		if err == nil {
			_ = conn.Close()
			return gateway
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("the gateway ended at once: %v\n%s", err, gateway.log)
		default:
		}
		if time.Now().After(deadline) {
			t.Fatalf("the gateway does not listen on %s", address)
		}
	}
}

// upstreamFlags lead all providers of a gateway to the test's.
func upstreamFlags(up *upstream) []string {
	return []string{
		"--upstream-anthropic", up.URL, "--upstream-openai", up.URL,
		"--upstream-gemini", up.URL, "--upstream-chatgpt", up.URL,
	}
}

// freeAddress returns an address on the loopback interface on which nothing listens.
func freeAddress(t testing.TB) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}
