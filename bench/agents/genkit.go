package main

import (
	"context"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/sdk/trace"
)

func prepareGenkit(ctx context.Context, s *script, called func(any)) (loop, error) {
	otel.SetTracerProvider(trace.NewTracerProvider(trace.WithSampler(trace.NeverSample())))
	g := genkit.Init(ctx)
	signal.Reset(os.Interrupt, syscall.SIGTERM) // genkit catches them, and this program must stop on them
	answer := genkitModel(s)
	m := genkit.DefineModel(g, "bench/"+modelName, &ai.ModelOptions{
		Supports: &ai.ModelSupports{Multiturn: true, Tools: true, ToolChoice: true, SystemRole: true},
	}, answer)
	run := func(_ *ai.ToolContext, arguments map[string]any) (string, error) {
		if called != nil {
			called(arguments)
		}
		return toolResult, nil
	}
	tool := genkit.DefineTool(g, toolName, toolAbout, run)
	options := func(more ...ai.GenerateOption) []ai.GenerateOption {
		return append([]ai.GenerateOption{ai.WithModel(m), ai.WithPrompt(question), ai.WithTools(tool), ai.WithMaxTurns(s.asks() + 1)}, more...)
	}
	return loop{
		call: func() (string, error) {
			resp, err := genkit.Generate(ctx, g, options()...)
			return resp.Text(), err
		},
		collect: func() (string, error) {
			resp, err := genkit.Generate(ctx, g, options(ai.WithStreaming(takeGenkit(func(string) {})))...)
			return resp.Text(), err
		},
		stream: func(take func(string)) error {
			_, err := genkit.Generate(ctx, g, options(ai.WithStreaming(takeGenkit(take)))...)
			return err
		},
		bareCall:   bareGenkit(ctx, s, answer, run, nil),
		bareStream: bareGenkit(ctx, s, answer, run, takeGenkit(func(string) {})),
	}, nil
}

func takeGenkit(take func(string)) ai.ModelStreamCallback {
	return func(_ context.Context, chunk *ai.ModelResponseChunk) error {
		for _, part := range chunk.Content {
			if part.IsText() {
				take(part.Text)
			}
		}
		return nil
	}
}

// genkitAnswer is an answer in pieces and whole.
type genkitAnswer struct {
	pieces []*ai.ModelResponseChunk
	whole  ai.ModelResponse
	usage  ai.GenerationUsage
}

// genkitModel yields prepared pieces and returns the prepared answer, in a copy of
// its own where genkit writes into it. It knows by the length of the history which
// answer is next: a round adds the answer and the results.
func genkitModel(s *script) ai.ModelFunc {
	answers := make([]genkitAnswer, len(s.said))
	for i := range s.said {
		answers[i] = newGenkitAnswer(&s.said[i])
	}
	return func(ctx context.Context, req *ai.ModelRequest, tell ai.ModelStreamCallback) (*ai.ModelResponse, error) {
		a := &answers[len(req.Messages)/2]
		if tell != nil {
			for _, piece := range a.pieces {
				if err := tell(ctx, piece); err != nil {
					return nil, err
				}
			}
		}
		resp, usage := a.whole, a.usage
		resp.Usage = &usage
		return &resp, nil
	}
}

func newGenkitAnswer(a *said) genkitAnswer {
	var g genkitAnswer
	tell := func(part *ai.Part) {
		g.pieces = append(g.pieces, &ai.ModelResponseChunk{Role: ai.RoleModel, Content: []*ai.Part{part}})
	}
	for _, piece := range a.text {
		tell(ai.NewTextPart(piece))
	}
	parts := make([]*ai.Part, 0, 1+len(a.calls))
	parts = append(parts, ai.NewTextPart(strings.Join(a.text, "")))
	for i := range a.calls {
		c := &a.calls[i]
		tell(ai.NewToolRequestPart(&ai.ToolRequest{Name: toolName, Ref: c.id, Partial: true}))
		for _, piece := range c.pieces {
			tell(ai.NewToolRequestPart(&ai.ToolRequest{Name: toolName, Ref: c.id, Input: piece, Partial: true}))
		}
		parts = append(parts, ai.NewToolRequestPart(&ai.ToolRequest{Name: toolName, Ref: c.id, Input: c.decoded}))
	}
	g.usage = ai.GenerationUsage{InputTokens: inputTokens, OutputTokens: a.tokens(), TotalTokens: inputTokens + a.tokens()}
	g.whole = ai.ModelResponse{Message: ai.NewModelMessage(parts...), FinishReason: ai.FinishReasonStop}
	return g
}

func bareGenkit(ctx context.Context, s *script, answer ai.ModelFunc, run ai.ToolFunc[map[string]any, string], tell ai.ModelStreamCallback) func() error {
	requests := make([]*ai.ModelRequest, len(s.said))
	for i := range requests {
		requests[i] = &ai.ModelRequest{Messages: make([]*ai.Message, 1+2*i)}
	}
	tc := &ai.ToolContext{Context: ctx}
	return func() error {
		for i, req := range requests {
			if _, err := answer(ctx, req, tell); err != nil {
				return err
			}
			for j := range s.said[i].calls {
				if _, err := run(tc, s.said[i].calls[j].decoded); err != nil {
					return err
				}
			}
		}
		return nil
	}
}
