package sdk

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/sse"
)

// What every verdict makes of every call of a message reaches a program on the
// official client as it shall: in every dialect, streamed and not, decided in
// place and beside the stream.
func TestSDKActsOnlyOnWhatThePoliciesLetPass(t *testing.T) {
	h := newHost(t)
	for _, format := range wire.Formats() {
		t.Run(string(format), func(t *testing.T) {
			for _, form := range forms() {
				t.Run(form.name, func(t *testing.T) {
					for _, v := range verdicts() {
						t.Run(v.name, func(t *testing.T) {
							for _, p := range positions() {
								t.Run(p.name, func(t *testing.T) {
									cell{format: format, form: form, verdict: v, position: p}.check(t, h)
								})
							}
						})
					}
				})
			}
		})
	}
}

// form is how an answer comes and how it is judged.
type form struct {
	name   string
	whole  bool
	piece  int // the most characters in a delta, 0 for no limit
	quirks sluicetest.Quirks
	how    judging
}

func forms() []form {
	habits := sluicetest.QuirkPing | sluicetest.QuirkPadding | sluicetest.QuirkInterleave | sluicetest.QuirkFinishWithDelta
	said := map[judging]string{inPlace: "", beside: " judged beside", together: " judged together", togetherBeside: " judged together and beside"}
	var list []form
	for _, f := range []struct {
		form
		ways []judging
	}{
		{form{name: "stream"}, []judging{inPlace, beside, together, togetherBeside}},
		{form{name: "stream in small pieces", piece: 3}, []judging{inPlace, beside}},
		{form{name: "stream with habits", piece: 3, quirks: habits}, []judging{inPlace, beside}},
		{form{name: "body", whole: true}, []judging{inPlace, beside, together}},
	} {
		for _, how := range f.ways {
			one := f.form
			one.name, one.how = f.name+said[how], how
			list = append(list, one)
		}
	}
	return list
}

// position says which calls of a message are judged.
type position struct {
	name          string
	message       string
	tools, judged []string
}

func positions() []position {
	three := []string{"first_tool", "middle_tool", "last_tool"}
	list := []position{
		{name: "all", message: "I call three tools.", tools: three, judged: three},
		{name: "only", tools: []string{"only_tool"}, judged: []string{"only_tool"}},
		{name: "only with text", message: "I call a tool.", tools: []string{"only_tool"}, judged: []string{"only_tool"}},
	}
	for _, tool := range three {
		list = append(list, position{
			name: strings.TrimSuffix(tool, "_tool"), message: "I call three tools.", tools: three, judged: []string{tool},
		})
	}
	return list
}

func (p position) blocks() []llm.Block {
	var blocks []llm.Block
	if p.message != "" {
		blocks = append(blocks, llm.Block{Kind: llm.Content, Text: p.message})
	}
	for _, tool := range p.tools {
		blocks = append(blocks, callOf(tool))
	}
	return blocks
}

// cell is one case of the matrix.
type cell struct {
	format   wire.Format
	form     form
	verdict  verdict
	position position
}

// again is the answer that follows when the model was told about denials:
// with a call if the first had several, else a text alone.
func (c cell) again() []llm.Block {
	blocks := []llm.Block{{Kind: llm.Content, Text: "Then another way."}}
	if len(c.position.tools) > 1 {
		blocks = append(blocks, callOf("next_tool"))
	}
	return blocks
}

func (c cell) build(blocks []llm.Block) []byte {
	o := sluicetest.BuildOptions{MaxPiece: c.form.piece, Quirks: c.form.quirks, Usage: true}
	if c.form.whole {
		return []byte(sluicetest.BuildBody(string(c.format), [][]llm.Block{blocks}, o))
	}
	return sluicetest.SSE(string(c.format), sluicetest.Build(string(c.format), [][]llm.Block{blocks}, o))
}

// run lets the policies judge the answer.
func (c cell) run(t *testing.T, upstream []byte) (sluicetest.Delivered, *told) {
	t.Helper()
	model := &told{refuses: c.verdict.refuses, next: func() policy.Source { return newSource(c.build(c.again()), c.form.whole) }}
	n := sluicetest.Enforcement{
		Set:     c.verdict.set(t, c.position.judged, c.position.tools, c.form.how),
		Options: policy.Options{Approver: c.verdict.approver, Feedback: c.verdict.feedback},
	}
	if c.verdict.feedback {
		n.Options.Keep = model.Keep
		n.Run.Feedback = model
	}
	return c.enforce(t, n, upstream), model
}

func (c cell) enforce(t *testing.T, n sluicetest.Enforcement, upstream []byte) sluicetest.Delivered {
	t.Helper()
	if c.form.whole {
		return n.Body(t.Context(), string(c.format), upstream)
	}
	return n.Stream(t.Context(), string(c.format), bytes.NewReader(upstream))
}

func (c cell) check(t *testing.T, h *host) {
	upstream := c.build(c.position.blocks())
	d, model := c.run(t, upstream)
	defer func() {
		if t.Failed() {
			t.Logf("upstream:\n%s\ndelivered:\n%s", upstream, d.Bytes)
		}
	}()
	r := response{whole: c.form.whole, status: http.StatusOK, body: d.Bytes}
	if c.verdict.outcome == aborted && c.form.whole {
		r.status = http.StatusForbidden // a host knows before it sends anything
	}
	got := h.ask(t.Context(), c.format, r)
	c.leavesNothing(t, d.Bytes)
	if c.verdict.outcome == aborted {
		c.fails(t, d, got)
		return
	}
	switch {
	case d.Err != nil || d.Cut != nil:
		t.Errorf("the answer ended with %v, and reads as ended with %v", d.Err, d.Cut)
	case got.err != nil:
		t.Errorf("the client fails: %v", got.err)
	}
	if err := c.legal(d.Bytes); err != nil {
		t.Errorf("not legal: %v", err)
	}
	// While a block is held a ping is answered at once, and passed on later.
	if c.verdict.outcome == passes && c.form.quirks == 0 && !bytes.Equal(d.Bytes, upstream) {
		t.Error("nothing was changed, and other bytes were delivered")
	}
	c.understands(t, got)
	c.tells(t, model)
	c.records(t, d.Records)
	c.replays(t, got)
}

// source gives the payloads of an answer.
type source struct {
	events *sse.Reader
	body   []byte
}

func newSource(answer []byte, whole bool) *source {
	if whole {
		return &source{body: answer}
	}
	return &source{events: sse.NewReader(bytes.NewReader(answer), sse.Options{})}
}

// Next returns the next payload.
func (s *source) Next() (string, []byte, error) {
	if s.events != nil {
		ev, err := s.events.Next()
		return string(ev.Name), ev.Data, err
	}
	if s.body == nil {
		return "", nil, io.EOF
	}
	body := s.body
	s.body = nil
	return "", body, nil
}

var _ policy.Source = (*source)(nil)
