package gateway

import (
	"bytes"
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/wire"
)

// transcript is what was delivered of an answer that a later request may
// continue from.
type transcript struct {
	blocks []deliveredBlock
	size   int
	// full: there was more than can be remembered.
	full bool
}

// deliveredBlock is a block of the answer that was delivered.
type deliveredBlock struct {
	choice, position int
	block            llm.Block
}

// canBeContinued reports whether the provider stores the answer, so that a
// request can continue from it without repeating it. Answers that are made in
// the background are fetched by other requests.
func (x *exchange) canBeContinued() bool {
	if x.r.Method != http.MethodPost || len(x.in.plain) == 0 || x.in.background {
		return false
	}
	switch x.format {
	case wire.OpenAIResponses:
		return !x.in.unstored && strings.HasSuffix(x.path, "/responses")
	case wire.Anthropic:
		return x.in.threads
	case wire.OpenAIChat, wire.Gemini:
	}
	return false
}

// goesOnFrom is the id that the request continues from, empty if the request
// has the whole history.
func (x *exchange) goesOnFrom() string {
	switch {
	case x.format != wire.OpenAIResponses && !x.in.thread:
		return ""
	case x.in.previous != "":
		return x.owned(x.in.previous)
	case x.in.conversation != "":
		return x.owned(x.in.conversation)
	}
	return ""
}

// add adds a block of the answer.
func (t *transcript) add(r *policy.Record) {
	if r.Stage != policy.StageAnswer || !r.Delivered || r.Kind == llm.Thinking || t.full {
		return
	}
	if t.size += blockCost + len(r.Out) + len(r.ID) + len(r.Name) + len(r.Type); t.size > mostOfATurn {
		t.full, t.blocks = true, nil
		return
	}
	b := llm.Block{
		Kind: r.Kind, ID: strings.Clone(r.ID), Name: strings.Clone(r.Name), Type: strings.Clone(r.Type), Status: r.Status,
	}
	if text := strings.Clone(r.Out); r.Kind == llm.ToolCall || r.Kind == llm.ServerTool {
		b.Arguments = text
	} else {
		b.Text = text
	}
	t.blocks = append(t.blocks, deliveredBlock{r.Choice, r.Block, b})
}

// keepTurn remembers the exchange for the request that continues from its
// answer.
func (x *exchange) keepTurn(id string) {
	if x.transcript == nil || x.transcript.full || id == "" || x.info.Canary {
		return
	}
	slices.SortStableFunc(x.transcript.blocks, func(a, b deliveredBlock) int {
		return cmp.Or(cmp.Compare(a.choice, b.choice), cmp.Compare(a.position, b.position))
	})
	now := &turn{ids: []string{x.owned(id)}, format: x.format, asked: bytes.Clone(x.in.said), said: make([]llm.Block, len(x.transcript.blocks))}
	for i := range x.transcript.blocks {
		now.said[i] = x.transcript.blocks[i].block
	}
	if x.in.conversation != "" {
		now.ids = append(now.ids, x.owned(x.in.conversation))
	}
	x.g.conversations.add(now, x.goesOnFrom(), time.Now())
	x.transcript = nil
}

// earlier returns the earlier messages of the conversation that the request
// continues.
func (x *exchange) earlier(from string) (messages []llm.Message, known bool) {
	turns, known := x.g.conversations.before(from, time.Now())
	wakeWatcher() // it may be long
	for i := range turns {
		more, ok := turns[i].messages()
		messages, known = append(messages, more...), known && ok
	}
	return messages, known
}
