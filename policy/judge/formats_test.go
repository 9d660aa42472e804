package judge_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/judge"
	"github.com/sluice-project/sluice/wire"
)

func TestModelsOfEveryFormatCanJudge(t *testing.T) {
	for _, format := range []wire.Format{wire.OpenAIChat, wire.OpenAIResponses, wire.Anthropic, wire.Gemini} {
		t.Run(string(format), func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				req, err := format.ReadRequest(body)
				if err != nil {
					t.Error(err)
					return
				}
				round := scripted.Round{scripted.Text("```json\n" + opinion(read(req), 0.75, "because") + "\n```"), scripted.Usage(100, 20)}
				r.Body = io.NopCloser(bytes.NewReader(body))
				scripted.New(round).Handler(format).ServeHTTP(w, r)
			}))
			defer server.Close()
			m, err := model.New(model.Config{Format: format, BaseURL: server.URL, Model: "small-1", HTTPClient: server.Client()})
			if err != nil {
				t.Fatal(err)
			}
			v := newJudge(t, judge.Config{Model: m}).Judge(t.Context(), subject(`{"command":"ls"}`))
			if want := []string{"risk 0.75, threshold 0.5", "model small-1", "tokens: 100 in, 20 out"}; v.Action != policy.Block || !slices.Equal(v.Notes, want) {
				t.Errorf("verdict %+v", v)
			}
		})
	}
}
