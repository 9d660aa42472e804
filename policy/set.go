package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sluice-project/sluice/llm"
)

// Set is an ordered list of policies that work together. It is immutable, so
// any number of exchanges can use it concurrently.
type Set struct {
	definitions []Definition
	version     string
	note        string
	// watched are the kinds that a policy may apply to; sees: a policy looks at
	// every chunk.
	watched Kinds
	sees    bool
	// readsTexts: a policy may read what the model says apart from its calls.
	readsTexts bool
	// counts: a policy is enforced. enforces: an enforced policy applies to tool
	// calls.
	counts, enforces bool
	// always is the assembly of every exchange, if it is the same in all.
	always *assembly
	// texts are the chains of all policies; chains of fewer, where some take no
	// part in an exchange, are compiled on demand.
	texts, shadows *texts
	// ledger serves exchanges without one, nothing is the exchange about which
	// nothing is known.
	ledger  Ledger
	nothing *Exchange
	some    sync.Map // string of the active ones -> [2]*texts
}

// NewSet returns a set of policies. It rejects what could never be enforced.
func NewSet(definitions ...Definition) (*Set, error) {
	s := &Set{ledger: &MemoryLedger{}}
	s.nothing = &Exchange{Ledger: s.ledger}
	h := sha256.New()
	names := make(map[string]bool, len(definitions))
	same := true
	for _, d := range definitions {
		d = withDefaults(d)
		if err := d.check(); err != nil {
			return nil, err
		}
		if names[d.Name] {
			return nil, fmt.Errorf("policy: two policies are named %q: give each a name of its own", d.Name)
		}
		names[d.Name] = true
		s.sees = s.sees || d.Sees || d.Policy != nil && d.Policy.See != nil
		s.counts = s.counts || d.Mode == Enforce
		s.readsTexts = s.readsTexts || d.Waits // judges are shown the conversation
		same = same && (d.Policy != nil || d.New == nil)
		if d.New != nil || d.Policy != nil {
			s.watched |= d.Applies
			s.enforces = s.enforces || d.Mode == Enforce && d.Applies.Has(llm.ToolCall)
		}
		if len(d.Text) > 0 {
			s.watched |= KindsOf(llm.Content, llm.Refusal)
		}
		for _, part := range []string{d.Name, d.Version, d.Mode.String()} {
			sum := sha256.Sum256([]byte(part))
			h.Write(sum[:])
		}
		s.definitions = append(s.definitions, d)
	}
	if s.watched.Has(llm.ToolCall) {
		s.watched |= KindsOf(llm.Opaque)
	}
	s.readsTexts = s.readsTexts || s.sees || s.watched&KindsOf(llm.Content, llm.Thinking, llm.Refusal) != 0
	s.version = hex.EncodeToString(h.Sum(nil))[:16]
	var err error
	if s.texts, s.shadows, err = s.compile(func(int) bool { return true }); err != nil {
		return nil, err
	}
	if same {
		s.always = s.assemble(nil)
	}
	return s, nil
}

// Judges reports whether a policy of the set may apply to blocks of a kind.
func (s *Set) Judges(kind llm.Kind) bool { return s.watched.Has(kind) }

// Enforces reports whether a policy of the set is enforced; if none is, the set
// only observes.
func (s *Set) Enforces() bool { return s.counts }

// Shadowed returns a set of the same policies with none enforced: it observes
// what this one would do.
func (s *Set) Shadowed() (*Set, error) {
	definitions := slices.Clone(s.definitions)
	for i := range definitions {
		definitions[i].Mode = Shadow
	}
	shadowed, err := NewSet(definitions...)
	if err == nil {
		shadowed.note = s.note
	}
	return shadowed, err
}

// Noted returns a set of the same policies with a note.
func (s *Set) Noted(text string) (*Set, error) {
	noted, err := NewSet(s.definitions...)
	if err == nil {
		noted.note = text
	}
	return noted, err
}

// Note is what the user of the set should know about it as a whole, such as that
// the default policies are not in it; empty if there is nothing. Hosts show it.
func (s *Set) Note() string { return s.note }

// compile makes the chains of the texts of some of the policies: the enforced
// ones and the shadow ones.
func (s *Set) compile(active func(i int) bool) (counting, shadows *texts, err error) {
	var lists [2][]*Definition
	for i := range s.definitions {
		if d := &s.definitions[i]; len(d.Text) > 0 && active(i) {
			lists[d.Mode] = append(lists[d.Mode], d)
		}
	}
	if counting, err = compileTexts(lists[Enforce]); err != nil {
		return nil, nil, err
	}
	shadows, err = compileTexts(lists[Shadow])
	return counting, shadows, err
}

// textsOf returns the chains of the policies that take part in an exchange.
func (s *Set) textsOf(active []int) (counting, shadows *texts) {
	all := 0
	for i := range s.definitions {
		if len(s.definitions[i].Text) > 0 {
			all++
		}
	}
	if len(active) == all {
		return s.texts, s.shadows
	}
	key := fmt.Sprint(active)
	if pair, ok := s.some.Load(key); ok {
		if pair, ok := pair.([2]*texts); ok {
			return pair[0], pair[1]
		}
	}
	counting, shadows, err := s.compile(func(i int) bool { return slices.Contains(active, i) })
	if err != nil {
		return s.texts, s.shadows // all of it compiled, so this cannot happen; too many is safer than too few
	}
	s.some.Store(key, [2]*texts{counting, shadows})
	return counting, shadows
}

func withDefaults(d Definition) Definition {
	if d.Applies == 0 {
		d.Applies = KindsOf(llm.ToolCall)
	}
	if d.Timeout <= 0 {
		d.Timeout = 10 * time.Second
	}
	if d.OnError == 0 {
		d.OnError = Block
	}
	if len(d.Text) > 0 && d.TextAction == 0 {
		d.TextAction = Redact
	}
	return d
}

func (d *Definition) check() error {
	switch {
	case d.Name == "":
		return errors.New("policy: a policy has no name: name it, so that people can see which policy decided")
	case d.New == nil && d.Policy == nil && len(d.Text) == 0:
		return fmt.Errorf("policy: %s has neither New nor Policy nor Text, so it would never do anything", d.Name)
	case len(d.Text) > 0 && d.New == nil && d.Policy == nil && d.Applies&KindsOf(llm.Content, llm.Refusal) == 0:
		return fmt.Errorf("policy: %s replaces text as it streams, which is only possible for content and refusals: apply it to these, or use Change", d.Name)
	case len(d.Text) > 0 && d.Applies.Has(llm.Thinking):
		return fmt.Errorf("policy: %s would change thinking, which is signed: thinking can only be removed as a whole", d.Name)
	}
	return nil
}

// Version identifies the contents of the set.
func (s *Set) Version() string { return s.version }

// Names returns the names of the policies in their order.
func (s *Set) Names() []string {
	names := make([]string, 0, len(s.definitions))
	for i := range s.definitions {
		names = append(names, s.definitions[i].Name)
	}
	return names
}

// Len is the number of policies.
func (s *Set) Len() int { return len(s.definitions) }

// Live holds the set for new exchanges. Swapping it is atomic; running
// exchanges keep the set they started with.
type Live struct{ current atomic.Pointer[Set] }

// NewLive returns a holder of a set.
func NewLive(s *Set) *Live {
	l := &Live{}
	l.current.Store(s)
	return l
}

// Load returns the current set.
func (l *Live) Load() *Set { return l.current.Load() }

// Swap makes s the current set and returns the one before.
func (l *Live) Swap(s *Set) *Set { return l.current.Swap(s) }
