package gateway

import (
	"container/list"
	"sync"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire"
)

// Some providers store the conversation themselves, and a request only names
// the answer that it continues from. So that policies still see what came
// before, the gateway remembers the latest turns of such conversations.

// conversations remembers turns. The zero value is ready; it is safe for
// concurrent use.
type conversations struct {
	mu    sync.Mutex
	order list.List // of *turn, the least recently used first
	// turns are the turns by the ids that a request can continue from: the id
	// of the answer, and that of a conversation, for its latest turn.
	turns map[string]*turn
	bytes int
}

// turn is a request and its answer.
type turn struct {
	ids    []string
	before *turn // nil if it is the first
	// lost: earlier turns have been forgotten.
	lost   bool
	format wire.Format
	asked  []byte // the messages, as JSON
	said   []llm.Block

	size int
	used time.Time
	at   *list.Element // nil when it has been forgotten
}

// Limits of what is remembered: turns, bytes, bytes of one turn, turns of a
// conversation, and how long after its last request.
const (
	mostTurns     = 10_000
	mostTurnBytes = 64 << 20
	mostOfATurn   = 8 << 20
	longestChain  = 1000
	turnsLast     = 12 * time.Hour
	turnCost      = 512 // of one, in addition to its bytes
	blockCost     = 256
)

// add remembers a turn that continues from the one named from, empty if it
// starts a conversation.
func (c *conversations) add(t *turn, from string, now time.Time) {
	t.size = turnCost + cap(t.asked)
	for i := range t.said {
		b := &t.said[i]
		t.size += blockCost + len(b.Text) + len(b.Arguments) + len(b.ID) + len(b.Name) + len(b.Type)
	}
	if t.size > mostOfATurn {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if from != "" {
		t.before = c.turns[from]
		t.lost = t.before == nil
		for _, before := range c.chain(t.before, now) {
			c.order.MoveToBack(before.at)
			before.used = now
		}
	}
	if c.turns == nil {
		c.turns = make(map[string]*turn)
	}
	for _, id := range t.ids {
		c.turns[id] = t
	}
	t.at, t.used = c.order.PushBack(t), now
	c.bytes += t.size
	for c.order.Len() > mostTurns || c.bytes > mostTurnBytes || c.oldest().used.Add(turnsLast).Before(now) {
		c.forget(c.oldest())
	}
}

// before returns the turns up to the one named, in order, and whether these are
// all.
func (c *conversations) before(id string, now time.Time) (turns []turn, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, t := range c.chain(c.turns[id], now) {
		turns = append(turns, *t) // it may be forgotten while it is read
	}
	return turns, len(turns) > 0 && turns[0].before == nil && !turns[0].lost
}

// chain returns a turn and the remembered ones before it, in order.
func (c *conversations) chain(last *turn, now time.Time) []*turn {
	n := 0
	for t := last; t != nil && t.at != nil && n < longestChain && !t.used.Add(turnsLast).Before(now); t = t.before {
		n++
	}
	turns := make([]*turn, n)
	for t := last; n > 0; t = t.before {
		n--
		turns[n] = t
	}
	return turns
}

func (c *conversations) oldest() *turn {
	t, _ := c.order.Front().Value.(*turn)
	return t
}

// forget forgets a turn. The turns after it are marked as incomplete and no
// longer refer to it.
func (c *conversations) forget(t *turn) {
	c.order.Remove(t.at)
	c.bytes -= t.size
	for _, id := range t.ids {
		if c.turns[id] == t {
			delete(c.turns, id)
		}
	}
	t.at, t.before, t.asked, t.said = nil, nil, nil, nil
}

// messages reads the messages of a turn. It returns false if they cannot be
// read.
func (t *turn) messages() (messages []llm.Message, ok bool) {
	if len(t.asked) > 0 {
		member := "input"
		if t.format == wire.Anthropic {
			member = "messages"
		}
		body := make([]byte, 0, len(t.asked)+len(member)+5)
		body = append(append(append(body, `{"`...), member...), `":`...)
		req, err := t.format.ReadRequest(append(append(body, t.asked...), '}'))
		if err != nil {
			return nil, false
		}
		messages = req.Messages
	}
	if len(t.said) > 0 {
		messages = append(messages, llm.Message{Role: llm.Assistant, Blocks: t.said})
	}
	return messages, true
}
