package policy_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/text"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/recording"
)

// recorded is a recorded answer.
type recorded struct {
	name     string
	format   string
	payloads []string
}

// corpus reads the recorded answers, which are not part of the repository.
func corpus(t testing.TB) []recorded {
	dir := os.Getenv("SLUICE_CORPUS")
	if dir == "" {
		t.Skip("SLUICE_CORPUS does not name the directory of the recorded corpus; its streams are not checked here")
	}
	var all []recorded
	for _, format := range sluicetest.Formats() {
		files, err := filepath.Glob(filepath.Join(dir, format, "*.jsonl"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no recorded streams of %s: %v", format, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			r := recorded{name: format + "/" + strings.TrimSuffix(filepath.Base(file), ".jsonl"), format: format}
			for line := range strings.Lines(string(data)) {
				if line = strings.TrimRight(line, "\r\n"); line != "" {
					r.payloads = append(r.payloads, line)
				}
			}
			all = append(all, r)
		}
	}
	return all
}

// lottery decides by the contents of a block and a seed, so that the same block
// gets the same verdict whatever it came in.
type lottery struct {
	seed    uint64
	waits   bool
	content bool // content is judged too
	rewrite bool
	texts   bool
}

func (l lottery) draw(kind llm.Kind, name, said string) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s %s %s", l.seed, kind, name, said)
	return h.Sum64() >> 7
}

func (l lottery) action(kind llm.Kind, name, said string) policy.Action {
	actions := []policy.Action{policy.Allow, policy.Allow, policy.Annotate, policy.Block, policy.BlockEndTurn}
	return actions[l.draw(kind, name, said)%uint64(len(actions))]
}

func (l lottery) rewrites(name, said string) bool { return l.rewrite && l.draw(0, name, said)%3 == 0 }

var words = regexp.MustCompile(`\b(?:the|weather|and|a)\b`)

const rewritten = `{"rewritten":true}`

func (l lottery) set(t testing.TB) *policy.Set {
	judge := func(_ context.Context, s *policy.Subject) policy.Verdict {
		return policy.Verdict{Action: l.action(s.Block.Kind, s.Block.Name, s.Text()), Reason: "drawn"}
	}
	d := policy.Definition{Name: "lottery", Waits: l.waits, New: func(*policy.Exchange) policy.Policy { return policy.Policy{Judge: judge} }}
	if l.content {
		d.Applies = policy.KindsOf(llm.ToolCall, llm.Content)
	}
	list := []policy.Definition{d}
	if l.rewrite {
		list = append(list, policy.Definition{Name: "rewriter", New: func(*policy.Exchange) policy.Policy {
			return policy.Policy{Change: func(_ context.Context, s *policy.Subject) policy.Change {
				if !l.rewrites(s.Block.Name, s.Text()) {
					return policy.Change{}
				}
				return policy.Change{Action: policy.Rewrite, Text: rewritten, Reason: "drawn"}
			}}
		}})
	}
	if l.texts {
		list = append(list, policy.Definition{
			Name: "words", Applies: policy.KindsOf(llm.Content),
			Text: []text.Rule{{Name: "words", Patterns: []string{words.String()}, Replacement: "[gone]", Literal: true}},
		})
	}
	return set(t, list...)
}

// wanted is what must reach the client of an answer.
func (l lottery) wanted(r llm.Response, others map[[2]int]string) (calls []string, blocked []llm.Block, content string) {
	for _, c := range choicesOf(r) {
		for i, b := range c.Blocks {
			switch b.Kind {
			case llm.ToolCall:
				args := b.Arguments
				readable := b.Status == llm.Complete && (b.Freeform() || llm.CheckArguments(args) == nil)
				if readable && l.rewrites(b.Name, args) {
					args = rewritten
				}
				if !readable || l.action(b.Kind, b.Name, args).Blocks() {
					blocked = append(blocked, b)
					continue
				}
				calls = append(calls, fmt.Sprintf("%d %s %s", c.Index, b.Name, orEmpty(args)))
			case llm.Content:
				said := b.Text
				if l.texts {
					said = words.ReplaceAllString(said, "[gone]")
				}
				if l.content && (l.action(b.Kind, b.Name, said).Blocks() || l.blocksOther(others, c.Index, i)) {
					blocked = append(blocked, b)
					continue
				}
				content += said
			default:
			}
		}
	}
	return calls, blocked, content
}

func (l lottery) blocksOther(others map[[2]int]string, choice, block int) bool {
	said, two := others[[2]int{choice, block}]
	if l.texts {
		said = words.ReplaceAllString(said, "[gone]")
	}
	return two && l.action(llm.Content, "", said).Blocks()
}

// othersIn are the texts that differ at the end from their deltas.
func othersIn(rec recorded) map[[2]int]string {
	others := map[[2]int]string{}
	p := stream.NewProcessor(wire.Format(rec.format).NewDecoder(), stream.Limits{}, nil, nil)
	for _, payload := range rec.payloads {
		if p.Feed(context.Background(), "", []byte(payload)) != nil {
			break
		}
	}
	for _, c := range p.State().Choices() {
		for i, b := range c.Blocks() {
			if other, two := b.Other(); two {
				others[[2]int{c.Index(), i}] = other
			}
		}
	}
	return others
}

func orEmpty(args string) string {
	if strings.TrimSpace(args) == "" {
		return "{}"
	}
	return args
}

// choicesOf are the choices by their index: they do not wait for each other, so
// the one whose verdict comes first may begin first.
func choicesOf(r llm.Response) []llm.Choice {
	return slices.SortedFunc(slices.Values(r.Choices), func(a, b llm.Choice) int { return cmp.Compare(a.Index, b.Index) })
}

func callsOf(r llm.Response) (calls []string) {
	for _, c := range choicesOf(r) {
		for _, b := range c.Blocks {
			if b.Kind == llm.ToolCall {
				calls = append(calls, fmt.Sprintf("%d %s %s", c.Index, b.Name, orEmpty(b.Arguments)))
			}
		}
	}
	return calls
}

var notices = regexp.MustCompile(`\[Sluice (?:blocked|withheld|removed)[^\]]*\(policy [a-z]+\)\]`)

func contentOf(format string, r llm.Response) (content string) {
	for _, c := range choicesOf(r) {
		for _, b := range c.Blocks {
			if b.Kind == llm.Content {
				content += b.Text
			}
		}
	}
	if format == string(wire.OpenAIChat) || format == string(wire.Gemini) {
		content = strings.ReplaceAll(content, "\n\n[Sluice ", "[Sluice ")
	}
	return notices.ReplaceAllString(content, "")
}

// drawn are verdicts, without what depends on time.
func drawn(records []policy.Record) (list []string) {
	for _, r := range records {
		list = append(list, fmt.Sprintf("%d/%d %s %s %s %s %t %s %s", r.Choice, r.Block, r.Kind, r.Name,
			r.Verdict.Action, r.Verdict.Cause, r.Delivered, r.HashIn(), r.HashOut()))
	}
	slices.Sort(list)
	return list
}

func TestCorpusNothingOfABlockedBlockLeaves(t *testing.T) {
	for _, rec := range corpus(t) {
		t.Run(rec.name, func(t *testing.T) {
			t.Parallel()
			for seed := range seeds() {
				l := lottery{seed: seed, waits: seed%2 == 1, content: seed%8 >= 6, rewrite: seed%4 >= 2, texts: seed%8 >= 4}
				checkRecorded(t, rec, l)
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
		})
	}
}

// seeds is how many policy sets each answer meets: all kinds of them by turns.
func seeds() uint64 {
	if os.Getenv("SLUICE_FULL") != "" {
		return 64
	}
	return 8
}

// cases is how many of n generated cases are tried: a tenth in the short form.
func cases[N ~int | ~uint64](n N) N {
	if testing.Short() {
		return max(1, n/10)
	}
	return n
}

// every returns what says of each case in turn whether it is tried: all are, and in the short form one in n.
// An n that is prime to the numbers of values that are combined tries each of these.
func every(n int) func() bool {
	at := -1
	return func() bool {
		at++
		return !testing.Short() || at%n == 0
	}
}

func checkRecorded(t *testing.T, rec recorded, l lottery) {
	ctx := context.Background()
	events := sluicetest.SSE(rec.format, rec.payloads)
	plain := sluicetest.Enforcement{}.Stream(ctx, rec.format, bytes.NewReader(events))
	n := sluicetest.Enforcement{Set: l.set(t)}
	calls, blocked, content := l.wanted(plain.Response, othersIn(rec))
	var first []string
	forms := map[string]sluicetest.Delivered{
		"as it came": n.Stream(ctx, rec.format, bytes.NewReader(events)),
		"chopped":    n.Stream(ctx, rec.format, sluicetest.Chopped(events, rand.New(rand.NewPCG(l.seed, 1)))),
	}
	if len(events) < 16<<10 {
		forms["byte by byte"] = n.Stream(ctx, rec.format, sluicetest.OneByte(events))
	}
	for form, d := range forms {
		if d.Invalid != nil && plain.Invalid == nil {
			t.Errorf("%s: the answer is no longer legal: %v\n%s", form, d.Invalid, d.Bytes)
		}
		if (d.Err == nil) != (plain.Err == nil) || (d.Cut == nil) != (plain.Cut == nil) {
			t.Errorf("%s: ended with %v and %v, without policies with %v and %v", form, d.Err, d.Cut, plain.Err, plain.Cut)
		}
		if plain.Err == nil {
			if got := callsOf(d.Response); !slices.Equal(got, calls) {
				t.Errorf("%s: calls\n%q\nwant\n%q\n%s", form, got, calls, d.Bytes)
			}
			if got := contentOf(rec.format, d.Response); got != content {
				at := 0
				for at < min(len(got), len(content)) && got[at] == content[at] {
					at++
				}
				t.Errorf("%s: content from %d\n%.200q\nwant\n%.200q", form, at, got[at:], content[at:])
			}
		}
		checkGone(t, form, rec, plain.Response, blocked, d)
		if now := drawn(d.Records); first == nil {
			first = now
		} else if !slices.Equal(first, now) {
			t.Errorf("%s: other verdicts\n%s\nthan\n%s", form, strings.Join(now, "\n"), strings.Join(first, "\n"))
		}
	}
}

// checkGone looks for arguments and texts of blocked blocks in what left.
func checkGone(t *testing.T, form string, rec recorded, r llm.Response, blocked []llm.Block, d sluicetest.Delivered) {
	var rest strings.Builder
	for _, c := range r.Choices {
		for _, b := range c.Blocks {
			if !slices.ContainsFunc(blocked, func(x llm.Block) bool {
				return x.Kind == b.Kind && x.ID == b.ID && x.Text == b.Text && x.Arguments == b.Arguments
			}) {
				rest.WriteString(b.Text + b.Arguments + string(b.Raw) + "\n")
			}
		}
	}
	for _, b := range blocked {
		said := b.Arguments + b.Text
		if len(said) < 12 || strings.Contains(rest.String(), said) {
			continue
		}
		quoted := jsonscan.AppendString(nil, said)
		if bytes.Contains(d.Bytes, []byte(said)) || bytes.Contains(d.Bytes, quoted[1:len(quoted)-1]) {
			t.Errorf("%s: %s %s left: %s", form, b.Kind, b.Name, said)
		}
	}
	_ = rec
}

// Allowed answers leave as the bytes that came.
func TestCorpusWhatIsAllowedLeavesAsItCame(t *testing.T) {
	allow := policy.Definition{
		Name: "allow", Applies: policy.KindsOf(llm.ToolCall, llm.Opaque),
		New: func(*policy.Exchange) policy.Policy {
			return policy.Policy{Judge: func(context.Context, *policy.Subject) policy.Verdict { return policy.Verdict{Action: policy.Allow} }}
		},
	}
	watcher := policy.Definition{Name: "watcher", New: func(*policy.Exchange) policy.Policy { return policy.Policy{} }}
	late := allow
	late.Name, late.Waits = "late", true
	for _, rec := range corpus(t) {
		t.Run(rec.name, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			events := sluicetest.SSE(rec.format, rec.payloads)
			plain := sluicetest.Enforcement{Set: set(t, watcher)}.Stream(ctx, rec.format, bytes.NewReader(events))
			if plain.Err != nil {
				return // cut, failed, or only readable when it is held
			}
			if _, blocked, _ := (lottery{}).wanted(plain.Response, nil); unreadable(blocked) {
				return // a call in it cannot be allowed
			}
			// A stream that clients read in two ways is written in one by all who hold it.
			// Whoever does not has sent the first pieces when the second way shows.
			want := plain.Bytes
			if isAmbiguous(t, rec) {
				d := sluicetest.Enforcement{Set: set(t, allow)}.Stream(ctx, rec.format, bytes.NewReader(events))
				if want = d.Bytes; !reflect.DeepEqual(choicesIn(t, rec.format, want), choicesIn(t, rec.format, plain.Bytes)) {
					t.Errorf("other blocks:\n%s\nwant\n%s", want, plain.Bytes)
				}
			}
			for _, s := range []*policy.Set{set(t, allow), set(t, late), set(t, allow, late)} {
				d := sluicetest.Enforcement{Set: s}.Stream(ctx, rec.format, bytes.NewReader(events))
				if d.Err == nil && !slices.Equal(payloadsOf(d.Bytes), payloadsOf(want)) {
					t.Errorf("%v: other bytes:\n%s\nwant\n%s", s.Names(), d.Bytes, want)
				}
				if (d.Err == nil) != (plain.Err == nil) {
					t.Errorf("%v: %v, want %v", s.Names(), d.Err, plain.Err)
				}
			}
		})
	}
}

// isAmbiguous reports whether clients read a recorded stream in different ways.
func isAmbiguous(t *testing.T, rec recorded) bool {
	t.Helper()
	d := wire.Format(rec.format).NewDecoder()
	var c stream.Chunk
	for _, payload := range rec.payloads {
		if c.Raw = []byte(payload); d.Decode(&c) == nil && c.Ambiguous {
			return true
		}
	}
	return false
}

func choicesIn(t *testing.T, format string, events []byte) []recording.Choice {
	t.Helper()
	report, err := recording.Inspect(bytes.NewReader(events), recording.Options{Format: wire.Format(format)})
	if err != nil {
		t.Fatal(err)
	}
	return report.Choices
}

// payloadsOf are the events that left, without signs of life, and sorted: the
// choices of an answer do not wait for each other.
func payloadsOf(events []byte) []string {
	list := strings.Split(string(events), "\n\n")
	list = slices.DeleteFunc(list, func(s string) bool { return strings.HasPrefix(s, "event: ping") })
	slices.Sort(list)
	return list
}

func unreadable(blocks []llm.Block) bool {
	return slices.ContainsFunc(blocks, func(b llm.Block) bool {
		return b.Kind == llm.ToolCall && (b.Status != llm.Complete || !b.Freeform() && llm.CheckArguments(b.Arguments) != nil)
	})
}
