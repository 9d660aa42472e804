package gateway_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sluice-project/sluice/gateway"
)

func TestRefusedPoliciesAreToldUntilGoodOnesFollow(t *testing.T) {
	t.Parallel()
	b := newBench(t, withAdmin)
	refused := func() *gateway.RefusedPolicies {
		t.Helper()
		got := b.do(http.MethodGet, "/admin/status", headers("Authorization", "Bearer "+adminToken), nil)
		var status gateway.Status
		if err := json.Unmarshal(got.body, &status); err != nil {
			t.Fatal(err)
		}
		return status.PoliciesRefused
	}
	metrics := func(lines ...string) {
		t.Helper()
		body := string(b.do(http.MethodGet, "/metrics", nil, nil).body)
		for _, line := range lines {
			if !strings.Contains(body, "\n"+line+"\n") {
				t.Errorf("the metrics do not say %q:\n%s", line, body)
			}
		}
	}
	if b.Reloaded(nil) || refused() != nil {
		t.Error("policies that were never refused are told as such")
	}
	metrics("sluice_policies_refused 0", `sluice_policy_reloads_total{result="good"} 1`)

	began := time.Now().Add(-time.Second)
	b.Reloaded(errors.New("policies.yaml:3:1: first"))
	first := refused()
	if first == nil || !strings.Contains(first.Message, "first") || first.Since.Before(began) {
		t.Fatalf("the status says %+v", first)
	}
	b.Reloaded(errors.New("policies.yaml:3:1: " + strings.Repeat("ü", 5000)))
	if again := refused(); again == nil || !again.Since.Equal(first.Since) || len(again.Message) > 4200 || strings.ContainsRune(again.Message, '\uFFFD') {
		t.Errorf("refused again: %+v", again)
	}
	metrics("sluice_policies_refused 1", `sluice_policy_reloads_total{result="refused"} 2`)

	if !b.Reloaded(nil) || b.Reloaded(nil) || refused() != nil {
		t.Error("the recovery is not told, or twice")
	}
	metrics("sluice_policies_refused 0", `sluice_policy_reloads_total{result="good"} 3`)
}

func TestAStorageThatFailsIsInTheStatusAndTheMetrics(t *testing.T) {
	t.Parallel()
	failure := errors.New("no space left")
	b := newBench(t, func(c *gateway.Config) { withAdmin(c); c.Storage = func() error { return failure } })
	if status := b.Status(); status.Storage != failure.Error() {
		t.Errorf("the status is %+v", status)
	}
	if body := b.do(http.MethodGet, "/metrics", nil, nil).body; !strings.Contains(string(body), "\nsluice_storage_failing 1\n") {
		t.Errorf("the metrics:\n%s", body)
	}
}
