package flow

import (
	"encoding/json"
	"strings"
	"sync"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/secret"
)

// history is what came before an answer: the same for all its blocks.
type history struct {
	x  *policy.Exchange
	at effect.Place

	once   sync.Once
	digest *digest

	onceLinked sync.Once
	linked     bool

	onceCorpus sync.Once
	untrusted  *corpus

	onceValues sync.Once
	private    *values

	onceSecret sync.Once
	found      Source
	isFound    bool

	// mu guards the files of the digest, which are put together when somebody
	// asks for them, and what follows.
	mu sync.Mutex
	// answer is what the blocks of the answer do that were read, and links whether
	// one of those that were looked at may have made another name.
	answer struct {
		before []llm.Block
		digest *digest
	}
	links struct {
		before []llm.Block
		found  bool
	}
}

type historyKey struct{}

func historyOf(x *policy.Exchange) *history {
	if x == nil {
		return &history{}
	}
	h, _ := x.Fact(historyKey{}, func() any { return &history{x: x, at: place(&x.Session)} }).(*history)
	return h
}

// read reads the history, once.
func (h *history) read() *digest {
	h.once.Do(func() {
		d := &digest{at: h.at, files: newFiles(nil, h.at), made: make(map[string]made)}
		h.digest = d
		var asked *llm.Request
		if h.x != nil {
			asked, d.client = h.x.Asked(), h.x.Session.Client
		}
		if asked == nil {
			d.missing = "the request is not known"
			return
		}
		var earlier []llm.Message
		if h.x.Earlier != nil {
			var known bool
			if earlier, known = h.x.Earlier(); !known {
				d.missing = "the request goes on from an answer that is not remembered"
			}
		} else if goesOn(asked) {
			d.missing = "the request goes on from an answer that is not in it"
		}
		if kept(asked.Extra, "cachedContent") || kept(asked.Extra, "cached_content") {
			d.missing = "the provider keeps a part of the request"
		}
		for i := range asked.System {
			d.said = append(d.said, asked.System[i].Text)
		}
		for i := range earlier {
			d.blocks(earlier[i].Blocks, earlier[i].Role, i)
		}
		for i := range asked.Messages {
			d.blocks(asked.Messages[i].Blocks, asked.Messages[i].Role, len(earlier)+i)
		}
	})
	return h.digest
}

// goesOn reports whether a request only names what came before it.
func goesOn(r *llm.Request) bool {
	if kept(r.Extra, "previous_response_id") || kept(r.Extra, "conversation") {
		return true
	}
	_, _, thread := jsonscan.Get(r.Extra["thread"], "previous_message_id")
	return thread
}

// kept reports whether a member names something.
func kept(extra map[string]json.RawMessage, name string) bool {
	raw := strings.TrimSpace(string(extra[name]))
	return raw != "" && raw != "null" && raw != `""`
}

// corpus is what others wrote and what the user said.
func (h *history) corpus() *corpus {
	d := h.read()
	h.onceCorpus.Do(func() { h.untrusted = newCorpus(d.foreign, d.said) })
	return h.untrusted
}

// values are what private reads brought.
func (h *history) values() *values {
	d := h.read()
	h.onceValues.Do(func() { h.private = newValues(d.secrets, d.said) })
	return h.private
}

// MaxSecretBytes is how much of the results is searched for secrets.
const MaxSecretBytes = 2 << 20

// secret looks for a secret in the results, the latest ones first.
func (h *history) secret() (Source, bool) {
	d := h.read()
	h.onceSecret.Do(func() {
		left := MaxSecretBytes
		for i := len(d.results) - 1; i >= 0 && left > 0; i-- {
			r := &d.results[i]
			text := r.text[:min(len(r.text), left)]
			left -= len(text)
			if found := secret.Find(text); len(found) > 0 {
				h.isFound, h.found = true, r.from
				h.found.Why = "a secret (" + found[0].Rule + ") in a result"
				return
			}
		}
		h.found.Message = -1
	})
	return h.found, h.isFound
}
