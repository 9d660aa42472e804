package main

import (
	"context"
	"errors"
	"io"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"
)

func prepareEino(ctx context.Context, s *script, called func(any)) (loop, error) {
	m := newEinoModel(s)
	t := &einoTool{called: called}
	a, err := react.NewAgent(ctx, &react.AgentConfig{
		ToolCallingModel:      m,
		ToolsConfig:           compose.ToolsNodeConfig{Tools: []tool.BaseTool{t}},
		MaxStep:               2*s.asks() + 2,
		StreamToolCallChecker: callsTool,
	})
	if err != nil {
		return loop{}, err
	}
	return loop{
		call: func() (string, error) {
			answer, err := a.Generate(ctx, []*schema.Message{schema.UserMessage(question)})
			if err != nil {
				return "", err
			}
			return answer.Content, nil
		},
		collect: func() (string, error) {
			answer, err := a.Stream(ctx, []*schema.Message{schema.UserMessage(question)})
			if err != nil {
				return "", err
			}
			whole, err := schema.ConcatMessageStream(answer)
			if err != nil {
				return "", err
			}
			return whole.Content, nil
		},
		stream: func(take func(string)) error {
			answer, err := a.Stream(ctx, []*schema.Message{schema.UserMessage(question)})
			if err != nil {
				return err
			}
			return readEino(answer, take)
		},
		bareCall:   bareEino(ctx, s, m, t, false),
		bareStream: bareEino(ctx, s, m, t, true),
	}, nil
}

// callsTool looks for a call in a whole answer: the texts come first.
func callsTool(_ context.Context, answer *schema.StreamReader[*schema.Message]) (bool, error) {
	defer answer.Close()
	for {
		switch piece, err := answer.Recv(); {
		case errors.Is(err, io.EOF):
			return false, nil
		case err != nil:
			return false, err
		case len(piece.ToolCalls) > 0:
			return true, nil
		}
	}
}

// readEino reads an answer to its end.
func readEino(answer *schema.StreamReader[*schema.Message], take func(string)) error {
	defer answer.Close()
	for {
		piece, err := answer.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if piece.Content != "" {
			take(piece.Content)
		}
	}
}

// einoModel returns prepared messages. It knows by the length of the history which
// answer is next: a round adds the answer and a message for each result.
type einoModel struct {
	step   int
	whole  []*schema.Message
	pieces [][]*schema.Message
}

func newEinoModel(s *script) *einoModel {
	m := &einoModel{step: 1 + s.calls}
	for i := range s.said {
		a := &s.said[i]
		whole := &schema.Message{Role: schema.Assistant}
		var pieces []*schema.Message
		for _, piece := range a.text {
			whole.Content += piece
			pieces = append(pieces, &schema.Message{Role: schema.Assistant, Content: piece})
		}
		meta := &schema.ResponseMeta{FinishReason: "stop", Usage: &schema.TokenUsage{
			PromptTokens: inputTokens, CompletionTokens: a.tokens(), TotalTokens: inputTokens + a.tokens(),
		}}
		for at := range a.calls {
			c := &a.calls[at]
			meta.FinishReason = "tool_calls"
			call := schema.ToolCall{Index: &at, ID: c.id, Type: "function", Function: schema.FunctionCall{Name: toolName}}
			pieces = append(pieces, &schema.Message{Role: schema.Assistant, ToolCalls: []schema.ToolCall{call}})
			for _, piece := range c.pieces {
				more := schema.ToolCall{Index: &at, Function: schema.FunctionCall{Arguments: piece}}
				pieces = append(pieces, &schema.Message{Role: schema.Assistant, ToolCalls: []schema.ToolCall{more}})
			}
			call.Function.Arguments = c.arguments
			whole.ToolCalls = append(whole.ToolCalls, call)
		}
		whole.ResponseMeta = meta
		m.whole = append(m.whole, whole)
		m.pieces = append(m.pieces, append(pieces, &schema.Message{Role: schema.Assistant, ResponseMeta: meta}))
	}
	return m
}

// Generate returns an answer.
func (m *einoModel) Generate(_ context.Context, history []*schema.Message, _ ...model.Option) (*schema.Message, error) {
	return m.whole[len(history)/m.step], nil
}

// Stream returns an answer in pieces.
func (m *einoModel) Stream(_ context.Context, history []*schema.Message, _ ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	return schema.StreamReaderFromArray(m.pieces[len(history)/m.step]), nil
}

// WithTools returns the same model: its answers are scripted.
func (m *einoModel) WithTools([]*schema.ToolInfo) (model.ToolCallingChatModel, error) { return m, nil }

// IsCallbacksEnabled keeps the graph from wrapping the model: there are no
// callbacks to call.
func (m *einoModel) IsCallbacksEnabled() bool { return true }

// einoTool returns a constant.
type einoTool struct{ called func(any) }

// Info declares the tool.
func (t *einoTool) Info(context.Context) (*schema.ToolInfo, error) {
	return &schema.ToolInfo{Name: toolName, Desc: toolAbout, ParamsOneOf: schema.NewParamsOneOfByParams(map[string]*schema.ParameterInfo{
		"place": {Type: schema.String, Required: true},
		"note":  {Type: schema.String, Required: true},
	})}, nil
}

// InvokableRun runs it.
func (t *einoTool) InvokableRun(_ context.Context, arguments string, _ ...tool.Option) (string, error) {
	if t.called != nil {
		t.called(arguments)
	}
	return toolResult, nil
}

// IsCallbacksEnabled is that of the model.
func (t *einoTool) IsCallbacksEnabled() bool { return true }

func bareEino(ctx context.Context, s *script, m *einoModel, t *einoTool, streamed bool) func() error {
	history := make([]*schema.Message, 1+len(s.said)*m.step)
	ignore := func(string) {}
	return func() error {
		for i := range s.said {
			if streamed {
				answer, err := m.Stream(ctx, history[:1+i*m.step])
				if err != nil {
					return err
				}
				if err := readEino(answer, ignore); err != nil {
					return err
				}
			} else if _, err := m.Generate(ctx, history[:1+i*m.step]); err != nil {
				return err
			}
			for j := range s.said[i].calls {
				if _, err := t.InvokableRun(ctx, s.said[i].calls[j].arguments); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

var (
	_ model.ToolCallingChatModel = (*einoModel)(nil)
	_ tool.InvokableTool         = (*einoTool)(nil)
)
