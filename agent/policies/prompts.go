package policies

import (
	"context"
	"crypto/sha256"
	"slices"
	"sync"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
)

// judgePrompts judges the texts of a request other than its tool results before the
// model sees them, and returns the request that is sent. What is stored does not
// change.
//
// A message is judged once in a run: it is sent again with every round, and must be
// the same every time.
func (w *watch) judgePrompts(req *agent.Request) (*agent.Request, error) {
	if w.set == nil || !w.set.Judges(policy.Prompt) {
		return req, nil
	}
	known := promptsOf(req)
	judge := func(message int, texts []string) ([]string, error) {
		key := known.key(w.set.Version(), texts)
		if out, ok := known.get(key); ok {
			return out, nil
		}
		var out []string
		err := w.asideOf(func(ctx context.Context, e *policy.Engine) (err error) {
			out, err = e.JudgePrompts(ctx, message, texts)
			return err
		})
		if err == nil {
			known.put(key, out)
		}
		return out, err
	}
	sent := req
	if req.System != "" {
		out, err := judge(-1, []string{req.System})
		if err != nil {
			return nil, err
		}
		if out[0] != req.System {
			sent = req.Clone()
			sent.System = out[0]
		}
	}
	for m := range req.Messages {
		texts := saidIn(&req.Messages[m])
		if len(texts) == 0 {
			continue
		}
		out, err := judge(m, texts)
		if err != nil {
			return nil, err
		}
		if slices.Equal(out, texts) {
			continue
		}
		if sent == req {
			sent = req.Clone()
		}
		sent.Messages[m].Blocks = withTexts(req.Messages[m].Blocks, out)
	}
	return sent, nil
}

// text points to the text of a block of a message, nil if it has none that
// policies see as a prompt. Thinking is signed, and results are judged as such.
func text(b *llm.Block) *string {
	switch b.Kind {
	case llm.Content, llm.Refusal:
		return &b.Text
	case llm.ToolCall:
		return &b.Arguments
	default:
		return nil
	}
}

// saidIn are the texts of a message.
func saidIn(m *llm.Message) (texts []string) {
	for i := range m.Blocks {
		if t := text(&m.Blocks[i]); t != nil && *t != "" {
			texts = append(texts, *t)
		}
	}
	return texts
}

// withTexts returns blocks with other texts. The provider's annotations of a text
// can repeat it, and are left out.
func withTexts(blocks []llm.Block, texts []string) []llm.Block {
	blocks = slices.Clone(blocks)
	for i := range blocks {
		b := &blocks[i]
		t := text(b)
		if t == nil || *t == "" {
			continue
		}
		if b.Kind != llm.ToolCall || *t != texts[0] {
			b.Raw = nil
		}
		*t, texts = texts[0], texts[1:]
	}
	return blocks
}

// prompts are the judged messages of a run.
type prompts struct {
	mu sync.Mutex
	by map[string][]string
}

// promptsName is the key of the judged messages among the run's values.
const promptsName = "sluice/agent/policies: prompts"

func promptsOf(req *agent.Request) *prompts {
	if have, ok := req.Values.Get(promptsName).(*prompts); ok {
		return have
	}
	p := &prompts{by: make(map[string][]string)}
	if req.Values != nil {
		req.Values.Set(promptsName, p)
	}
	return p
}

// key identifies texts and the policies that judge them.
func (p *prompts) key(version string, texts []string) string {
	h := sha256.New()
	for _, part := range append([]string{version}, texts...) {
		sum := sha256.Sum256([]byte(part))
		h.Write(sum[:])
	}
	return string(h.Sum(nil))
}

func (p *prompts) get(key string) ([]string, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	out, ok := p.by[key]
	return out, ok
}

func (p *prompts) put(key string, texts []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.by[key] = texts
}
