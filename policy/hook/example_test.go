package hook_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/hook"
)

// An endpoint that refuses deployments, and a hook that asks it.
func Example() {
	const secret = "shared with the endpoint"
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || hook.Verify(secret, r.Header.Get(hook.SignatureHeader), body, time.Now(), 0) != nil {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		var q hook.Question
		if err := json.Unmarshal(body, &q); err != nil {
			http.Error(w, "what?", http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if q.Tool != nil && q.Tool.Name == "deploy" {
			_, _ = io.WriteString(w, `{"action": "block", "reason": "Freeze until Monday."}`)
			return
		}
		_, _ = io.WriteString(w, `{"action": "allow"}`)
	}))
	defer endpoint.Close()

	h, err := hook.New(hook.Config{Name: "change-control", URL: endpoint.URL, Secret: secret})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, tool := range []string{"test", "deploy"} {
		call := llm.Block{Kind: llm.ToolCall, Name: tool, Arguments: `{}`, Status: llm.Complete}
		v := h.Judge(context.Background(), policy.NewSubject(nil, call))
		fmt.Printf("%s: %s %q\n", tool, v.Action, v.Reason)
	}
	// Output:
	// test: allow ""
	// deploy: block "Freeze until Monday."
}

func ExampleVerify() {
	body, now := []byte(`{"version":1}`), time.Unix(1_700_000_000, 0)
	header := hook.Sign("secret", body, now)
	fmt.Println(header)
	fmt.Println(hook.Verify("secret", header, body, now.Add(time.Minute), 0))
	fmt.Println(hook.Verify("secret", header, []byte(`{"version":2}`), now, 0))
	// Output:
	// t=1700000000,v1=6c49492c841520e805df0f6652ac4859b2bf8a94b97b7fe2664f0c02e62d2c85
	// <nil>
	// hook: the signature does not match this request
}
