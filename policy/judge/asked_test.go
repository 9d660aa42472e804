package judge_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/judge"
	"github.com/sluice-project/sluice/stream"
)

// asked is a question as a model sees it.
type asked struct {
	id, data string
	document map[string]any
}

func read(req *llm.Request) asked {
	lines := strings.Split(req.UserText(), "\n")
	q := asked{id: strings.TrimPrefix(lines[0], "Question "), data: lines[2]}
	_ = json.Unmarshal([]byte(q.data), &q.document)
	return q
}

// plays returns a model that plays the round that f makes of each question.
func plays(f func(q asked) scripted.Round) model.Model {
	return model.Func(func(ctx context.Context, req *llm.Request) iter.Seq2[stream.Event, error] {
		return scripted.New(f(read(req))).Stream(ctx, req)
	})
}

// says returns a model that answers with the text that f makes of each question.
func says(f func(q asked) string) model.Model {
	return plays(func(q asked) scripted.Round { return scripted.Round{scripted.Text(f(q))} })
}

func opinion(q asked, risk float64, reason string) string {
	said, _ := json.Marshal(reason)
	return fmt.Sprintf(`{"id":%q,"risk":%v,"reason":%s}`, q.id, risk, said)
}

// finds returns a model that finds the same risk in everything, and counts.
func finds(risk float64, count *atomic.Int64) model.Model {
	return says(func(q asked) string { count.Add(1); return opinion(q, risk, "because") })
}

func newJudge(t *testing.T, cfg judge.Config) *judge.Judge {
	t.Helper()
	if cfg.Name == "" {
		cfg.Name = "careful"
	}
	j, err := judge.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func call(name, arguments string) llm.Block {
	return llm.Block{Kind: llm.ToolCall, Name: name, Arguments: arguments, Type: "function", Status: llm.Complete}
}

func exchange(userText string, tools ...llm.Tool) *policy.Exchange {
	return &policy.Exchange{Request: &llm.Request{
		Messages: []llm.Message{{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content, Text: userText}}}},
		Tools:    tools,
	}}
}

func subject(arguments string) *policy.Subject {
	return policy.NewSubject(exchange("list the files"), call("Bash", arguments))
}
