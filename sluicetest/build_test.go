package sluicetest_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
)

// want is what a client should understand from blocks.
func want(blocks []llm.Block) (texts, thinking, calls []string) {
	for _, b := range blocks {
		switch b.Kind {
		case llm.Content, llm.Refusal:
			texts = append(texts, b.Text)
		case llm.Thinking:
			if b.Text != "" {
				thinking = append(thinking, b.Text)
			}
		case llm.ToolCall:
			calls = append(calls, b.ID+" "+b.Name)
		default:
		}
	}
	return texts, thinking, calls
}

func TestBuiltStreamsOfRandomBlocksAreLegalAndCarryTheBlocks(t *testing.T) {
	t.Parallel()
	for _, format := range sluicetest.Formats() {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(120) {
				r := rand.New(rand.NewPCG(seed, 0))
				blocks := sluicetest.RandomBlocks(r, format)
				opt := sluicetest.BuildOptions{Rand: r, MaxPiece: r.IntN(20), Usage: r.IntN(2) == 0, Quirks: sluicetest.Quirks(r.IntN(256))}
				stream := sluicetest.SSE(format, sluicetest.Build(format, [][]llm.Block{blocks}, opt))
				if err := (sluicetest.Options{ForbidStopWithCalls: true, ForbidTextAfterCalls: true, RequireJSONArguments: true, RequireOutput: true}).Validate(format, stream); err != nil {
					t.Fatalf("seed %d: %v\n%s", seed, err, stream)
				}
				report, err := sluicetest.Inspect(format, stream)
				if err != nil || !report.Ended || report.Failed {
					t.Fatalf("seed %d: report %+v, error %v", seed, report, err)
				}
				sameReport(t, fmt.Sprintf("stream of seed %d", seed), report, blocks)

				body := []byte(sluicetest.BuildBody(format, [][]llm.Block{blocks}, opt))
				if err := (sluicetest.Options{ForbidStopWithCalls: true, RequireJSONArguments: true}).ValidateBody(format, body); err != nil {
					t.Fatalf("seed %d: body: %v\n%s", seed, err, body)
				}
				report, err = sluicetest.InspectBody(format, body)
				if err != nil {
					t.Fatal(err)
				}
				if format != sluicetest.OpenAIChat { // a whole message has its texts joined
					sameReport(t, fmt.Sprintf("body of seed %d", seed), report, blocks)
				}
			}
		})
	}
}

func sameReport(t *testing.T, what string, report sluicetest.Report, blocks []llm.Block) {
	t.Helper()
	texts, thinking, calls := want(blocks)
	if !slices.Equal(report.Texts, texts) {
		t.Fatalf("%s: texts are %q, want %q", what, report.Texts, texts)
	}
	if !slices.Equal(report.Thinking, thinking) {
		t.Fatalf("%s: thinking is %q, want %q", what, report.Thinking, thinking)
	}
	got := []string{}
	for _, call := range report.Calls {
		got = append(got, call.ID+" "+call.Name)
	}
	if !slices.Equal(got, append([]string{}, calls...)) {
		t.Fatalf("%s: calls are %q, want %q", what, got, calls)
	}
	i := 0
	for _, b := range blocks {
		if b.Kind == llm.ToolCall {
			got := report.Calls[i]
			if got.Arguments != b.Arguments && got.Type != "functionCall" && got.Type != "tool_use" {
				t.Fatalf("%s: arguments of call %d are %q, want %q", what, i, got.Arguments, b.Arguments)
			}
			i++
		}
	}
}

func TestBuiltStreamsWithSeveralChoicesAreLegal(t *testing.T) {
	t.Parallel()
	for _, format := range []string{sluicetest.OpenAIChat, sluicetest.Gemini} {
		for seed := range uint64(120) {
			r := rand.New(rand.NewPCG(seed, 0))
			choices := make([][]llm.Block, 1+r.IntN(4))
			for i := range choices {
				choices[i] = sluicetest.RandomBlocks(r, format)
			}
			opt := sluicetest.BuildOptions{Rand: r, Quirks: sluicetest.Quirks(r.IntN(256))}
			stream := sluicetest.SSE(format, sluicetest.Build(format, choices, opt))
			report, err := sluicetest.Inspect(format, stream)
			if err != nil || !report.Ended || len(report.Finishes) != len(choices) {
				t.Fatalf("%s seed %d: %+v, %v\n%s", format, seed, report, err, stream)
			}
			if err := sluicetest.ValidateBody(format, []byte(sluicetest.BuildBody(format, choices, opt))); err != nil {
				t.Fatalf("%s seed %d: body: %v", format, seed, err)
			}
		}
	}
}

func TestBuiltStreamsCanEndWithAnError(t *testing.T) {
	t.Parallel()
	for _, format := range sluicetest.Formats() {
		for seed := range uint64(100) {
			r := rand.New(rand.NewPCG(seed, 0))
			blocks := sluicetest.RandomBlocks(r, format)
			stream := sluicetest.SSE(format, sluicetest.Build(format, [][]llm.Block{blocks}, sluicetest.BuildOptions{Rand: r, Error: "over\nloaded"}))
			report, err := sluicetest.Inspect(format, stream)
			if err != nil || !report.Failed || report.Ended {
				t.Fatalf("%s seed %d: report %+v, error %v\n%s", format, seed, report, err, stream)
			}
			if err := sluicetest.Validate(format, stream); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestBuildWithoutBlocksIsALegalEmptyAnswer(t *testing.T) {
	t.Parallel()
	for _, format := range sluicetest.Formats() {
		if err := sluicetest.Validate(format, sluicetest.SSE(format, sluicetest.Build(format, nil, sluicetest.BuildOptions{}))); err != nil {
			t.Errorf("stream: %v", err)
		}
		if err := sluicetest.ValidateBody(format, []byte(sluicetest.BuildBody(format, nil, sluicetest.BuildOptions{}))); err != nil {
			t.Errorf("body: %v", err)
		}
	}
}

func TestBuildIsRepeatable(t *testing.T) {
	t.Parallel()
	for _, format := range sluicetest.Formats() {
		build := func(r *rand.Rand) []string {
			blocks := sluicetest.RandomBlocks(rand.New(rand.NewPCG(7, 0)), format)
			return sluicetest.Build(format, [][]llm.Block{blocks}, sluicetest.BuildOptions{Rand: r})
		}
		if !slices.Equal(build(nil), build(nil)) {
			t.Errorf("%s: two builds without Rand differ", format)
		}
		if !slices.Equal(build(rand.New(rand.NewPCG(1, 0))), build(rand.New(rand.NewPCG(1, 0)))) {
			t.Errorf("%s: two builds with the same seed differ", format)
		}
	}
}

func TestBuildWritesEveryKindOfCall(t *testing.T) {
	t.Parallel()
	var blocks []llm.Block
	for _, kind := range []string{"function_call", "custom_tool_call", "local_shell_call", "shell_call", "apply_patch_call", "computer_call", "mcp_approval_request"} {
		blocks = append(blocks, llm.Block{Kind: llm.ToolCall, Type: kind, ID: "call_" + kind, Name: "f", Arguments: `{"a":1}`})
	}
	report, err := sluicetest.Inspect(sluicetest.OpenAIResponses, sluicetest.SSE(sluicetest.OpenAIResponses,
		sluicetest.Build(sluicetest.OpenAIResponses, [][]llm.Block{blocks}, sluicetest.BuildOptions{})))
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Calls) != len(blocks) {
		t.Fatalf("%d calls, want %d", len(report.Calls), len(blocks))
	}
	for i, call := range report.Calls {
		if call.Type != blocks[i].Type || call.ID != blocks[i].ID || call.Arguments != `{"a":1}` {
			t.Errorf("call %d is %+v", i, call)
		}
	}
}

func TestAnUnknownFormatIsRefused(t *testing.T) {
	t.Parallel()
	if err := sluicetest.Validate("smoke-signals", nil); err == nil {
		t.Error("Validate accepts it")
	}
	if err := sluicetest.ValidateBody("smoke-signals", nil); err == nil {
		t.Error("ValidateBody accepts it")
	}
	defer func() {
		if recover() == nil {
			t.Error("Build accepts it")
		}
	}()
	sluicetest.Build("smoke-signals", nil, sluicetest.BuildOptions{})
}

func TestRandomBlocksAreWhatTheyPromise(t *testing.T) {
	t.Parallel()
	for _, format := range sluicetest.Formats() {
		kinds := map[llm.Kind]bool{}
		for seed := range uint64(500) {
			blocks := sluicetest.RandomBlocks(rand.New(rand.NewPCG(seed, 0)), format)
			if len(blocks) == 0 {
				t.Fatal("no blocks")
			}
			ids := map[string]bool{}
			for i, b := range blocks {
				kinds[b.Kind] = true
				if !utf8.ValidString(b.Text + b.Arguments) {
					t.Fatal("not UTF-8")
				}
				if b.Kind == llm.ToolCall && b.ID != "" {
					if ids[b.ID] {
						t.Fatal("an id twice")
					}
					ids[b.ID] = true
				}
				if b.Kind == llm.ToolCall && !b.Freeform() && llm.CheckArguments(b.Arguments) != nil {
					t.Fatalf("arguments %q: %v", b.Arguments, llm.CheckArguments(b.Arguments))
				}
				if i > 0 && b.Kind == blocks[i-1].Kind && b.Text != "" && (format == sluicetest.OpenAIChat || format == sluicetest.Gemini) {
					t.Fatalf("two %v blocks would run together", b.Kind)
				}
				if i > 0 && blocks[i-1].Kind == llm.ToolCall && b.Kind != llm.ToolCall && format != sluicetest.OpenAIResponses {
					t.Fatal("a block after a call")
				}
			}
		}
		if !kinds[llm.Content] || !kinds[llm.Thinking] || !kinds[llm.ToolCall] {
			t.Errorf("%s: kinds %v", format, kinds)
		}
	}
}

func TestSSEFramesEveryLineOfAPayload(t *testing.T) {
	t.Parallel()
	got := string(sluicetest.SSE(sluicetest.Anthropic, []string{"{\"type\":\n\"ping\"}"}))
	if want := "event: ping\ndata: {\"type\":\ndata: \"ping\"}\n\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := string(sluicetest.SSE(sluicetest.OpenAIChat, []string{"[DONE]"})); strings.Contains(got, "event") {
		t.Errorf("got %q", got)
	}
}
