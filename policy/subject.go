package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sluice-project/sluice/llm"
)

// Exchange is one request and its answer, as policies see it. Nothing in it
// changes while the exchange runs.
type Exchange struct {
	// Request is what the model was asked, nil if it is not known. Policies use
	// Asked, which also covers what Read returns.
	Request *llm.Request
	// Read, if Request is nil, parses the request when a policy first needs it:
	// most exchanges never do. It must be safe for concurrent use and return
	// the same every time, as sync.OnceValue does.
	Read func() *llm.Request
	// Earlier, if set, returns the messages before those of the request: what
	// the provider stores and the request only refers to. known is false if
	// some of them are missing. If it is nil, the host remembers nothing. It
	// must be safe for concurrent use and return the same every time; policies
	// must not change the messages.
	Earlier func() (messages []llm.Message, known bool)
	Session Session
	Key     Key
	// Now is the time that conditions see; zero means that of the clock. It is for
	// examples and tests.
	Now time.Time
	// Ledger keeps what outlives the exchange. For a policy it is never nil.
	Ledger Ledger

	mu    sync.Mutex
	facts []fact
}

// Session is the client's conversation. Its working directory and home are
// those of the client; they are empty if unknown, and never taken from this
// machine.
type Session struct {
	ID, Client, Cwd, Home string
	Labels                []string
}

// Clients are the values of Session.Client for the usual clients. A host may use
// others.
func Clients() []string {
	return []string{
		"claude-code", "codex", "opencode", "qwen-code", "gemini-cli", "openai-sdk", "anthropic-sdk", "google-genai", "sluice agent",
	}
}

// Key identifies who asks.
type Key struct {
	Name, User string
	Groups     []string
}

// known returns the exchange with what policies may rely on: a ledger, the given
// one if it has none.
func known(x *Exchange, ledger Ledger) *Exchange {
	switch {
	case x == nil:
		return &Exchange{Ledger: ledger}
	case x.Ledger == nil:
		return &Exchange{Request: x.Request, Read: x.Read, Earlier: x.Earlier, Session: x.Session, Key: x.Key, Now: x.Now, Ledger: ledger}
	}
	return x
}

// Asked is what the model was asked, nil if it is not known. Policies must not
// change it.
func (x *Exchange) Asked() *llm.Request {
	if x.Request == nil && x.Read != nil {
		return x.Read()
	}
	return x.Request
}

// Fact returns a value derived from the exchange, computing it with find the
// first time; find must not ask for a fact of the exchange. All blocks of the
// exchange share it; the key should be a type of the calling package.
func (x *Exchange) Fact(key any, find func() any) any {
	x.mu.Lock()
	defer x.mu.Unlock()
	for i := range x.facts {
		if x.facts[i].key == key {
			return x.facts[i].value
		}
	}
	value := find()
	x.facts = append(x.facts, fact{key, value})
	return value
}

// Tool returns the request's declaration of a tool, nil if there is none of
// that name.
func (x *Exchange) Tool(name string) *llm.Tool {
	asked := x.Asked()
	if asked == nil {
		return nil
	}
	for i := range asked.Tools {
		if t := &asked.Tools[i]; t.Name == name {
			return t
		}
	}
	return nil
}

// Called returns the name of the tool that was called with an id in the
// conversation of the request, empty if there is no such call. If several calls
// have the id, the one in the last message counts.
func (x *Exchange) Called(id string) string {
	names, _ := x.Fact(calledKey{}, func() any { return callNames(x.Asked()) }).(map[string]string)
	return names[id]
}

type calledKey struct{}

// callNames maps the ids of the calls in a request's history to their names.
func callNames(req *llm.Request) map[string]string {
	if req == nil {
		return nil
	}
	names := make(map[string]string)
	for _, m := range slices.Backward(req.Messages) {
		for i := range m.Blocks {
			b := &m.Blocks[i]
			if b.ID == "" || b.Name == "" || b.Kind != llm.ToolCall && b.Kind != llm.ServerTool {
				continue
			}
			if _, later := names[b.ID]; !later {
				names[b.ID] = b.Name
			}
		}
	}
	return names
}

// Subject is a block to be judged, whole and in its final form. Policies may
// keep it; they must not change it. It is safe for concurrent use.
type Subject struct {
	Exchange *Exchange
	Stage    Stage
	// Block is what is judged. A block of an unknown type that carries a call
	// is shown as a call: its kind is ToolCall and its type the provider's.
	Block            llm.Block
	Choice, Position int
	// opaque: it came in a block of an unknown type.
	opaque bool
	// readable: the engine has checked the arguments.
	readable bool
	// lane has the blocks before it, as long as they may be read; before is a
	// copy of them, once something concurrent with the stream may read them.
	lane   *lane
	before []llm.Block
	// gate is the gate that the engine asked, and open its answer.
	gate *Gate
	open uint64

	mu     sync.Mutex
	parsed bool
	args   map[string]any
	err    error
	facts  []fact
	few    [1]fact // usually there is one, which avoids an allocation
	first  atomic.Pointer[fact]
}

// Arguments returns the parsed view of a call's arguments; see
// llm.ParseArguments. Free-form calls have none. The caller must not change it.
func (s *Subject) Arguments() (map[string]any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.parsed {
		s.parsed = true
		s.args, s.err = llm.ParseArguments(s.Block.Arguments)
	}
	return s.args, s.err
}

// Readable reports whether the arguments are known to be a single, unambiguous
// JSON object, because the engine has checked them. If it is false, use
// llm.CheckArguments.
func (s *Subject) Readable() bool { return s.readable }

// Tool is the request's declaration of the called tool, nil if it is unknown.
func (s *Subject) Tool() *llm.Tool {
	if s.Block.Kind != llm.ToolCall && s.Block.Kind != llm.ToolResult || s.Exchange == nil {
		return nil
	}
	return s.Exchange.Tool(s.Block.Name)
}

// Text is the content of the block: its arguments for a call, else its text.
func (s *Subject) Text() string { return said(&s.Block) }

// Before returns the blocks of the same choice that came before, as they
// arrived. Synchronous policies must not call it after they have returned. The
// list is shared and must not be changed. Long texts can be missing in it, see
// MaxTexts.
func (s *Subject) Before() []llm.Block {
	if s.lane != nil {
		return s.lane.before(s.Position)
	}
	return s.before
}

// detach makes the subject independent of the stream, so that it can be read
// concurrently while blocks still grow.
func (s *Subject) detach() {
	if s.lane != nil {
		s.before, s.lane = s.lane.before(s.Position), nil
	}
}

// Digest identifies what is judged: the tool and its arguments, or the text.
// Cached decisions must be keyed by it.
func (s *Subject) Digest() string {
	h := sha256.New()
	text := s.Text()
	if text == "" {
		text = string(s.Block.Raw)
	}
	for _, part := range []string{s.Block.Kind.String(), s.Block.Type, s.Block.Name, text} {
		sum := sha256.Sum256([]byte(part))
		h.Write(sum[:])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Fact returns a value derived from the subject, computing it with find the
// first time. Policies of one set share it; the key should be a type of the
// calling package.
func (s *Subject) Fact(key any, find func() any) any {
	if first := s.first.Load(); first != nil && first.key == key {
		return first.value // the same for all rules, which ask again and again
	}
	s.mu.Lock()
	known := s.fact(key)
	s.mu.Unlock()
	if known != nil {
		return known.value
	}
	value := find() // outside the lock: it may ask for another fact
	s.mu.Lock()
	defer s.mu.Unlock()
	if first := s.fact(key); first != nil {
		return first.value
	}
	if s.facts == nil {
		s.facts = s.few[:0]
	}
	s.facts = append(s.facts, fact{key, value})
	if len(s.facts) == 1 {
		s.first.Store(&s.few[0])
	}
	return value
}

func (s *Subject) fact(key any) *fact {
	for i := range s.facts {
		if s.facts[i].key == key {
			return &s.facts[i]
		}
	}
	return nil
}

// fact is a cached value derived from a subject or an exchange.
type fact struct{ key, value any }

func said(b *llm.Block) string {
	if b.Kind == llm.ToolCall || b.Kind == llm.ServerTool {
		return b.Arguments
	}
	return b.Text
}

// NewSubject returns a block to be judged on its own, for examples, tests and
// hosts that judge single calls. A nil exchange means that nothing is known
// about it.
func NewSubject(x *Exchange, b llm.Block) *Subject { return NewSubjectAfter(x, nil, b) }

// NewSubjectAfter is NewSubject for a block that comes after others of the same
// answer. It keeps the list.
func NewSubjectAfter(x *Exchange, before []llm.Block, b llm.Block) *Subject {
	x = known(x, &MemoryLedger{})
	return &Subject{Exchange: x, Stage: StageAnswer, Block: b, Position: len(before), before: before}
}
