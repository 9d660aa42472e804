package gateway_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/recording"
	"github.com/sluice-project/sluice/wire/sse"
)

// The recorded corpus is not part of the repository. SLUICE_CORPUS names the
// directory that holds it; INDEX.md there says what each stream contains.

const corpusSize = 217

// recorded is an answer of the corpus as its provider sent it.
type recorded struct {
	format wire.Format
	name   string
	body   []byte
	// failed: it ends with an error of the provider; cut: it just ends.
	failed, cut bool
}

func corpusDir(t testing.TB) string {
	dir := os.Getenv("SLUICE_CORPUS")
	if dir == "" {
		t.Skip("SLUICE_CORPUS does not name the directory of the recorded corpus; its streams are not sent through the gateway here")
	}
	return dir
}

// recordedStreams are all streams of the corpus as event streams.
func recordedStreams(t testing.TB) []recorded {
	dir := corpusDir(t)
	index, err := os.Open(filepath.Join(dir, "INDEX.md"))
	if err != nil {
		t.Fatal(err)
	}
	defer index.Close()
	var all []recorded
	var format wire.Format
	lines := bufio.NewScanner(index)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if rest, ok := strings.CutPrefix(lines.Text(), "## "); ok {
			format, _ = wire.ParseFormat(strings.Fields(rest)[0])
			continue
		}
		cells := strings.Split(lines.Text(), "|")
		if format == "" || len(cells) < 7 {
			continue
		}
		file, _, _ := strings.Cut(strings.TrimSpace(cells[1]), " ")
		name, isStream := strings.CutSuffix(file, ".jsonl")
		if !isStream {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, string(format), file))
		if err != nil {
			t.Fatal(err)
		}
		var body bytes.Buffer
		// The error is how the answer ended, which INDEX.md says too.
		_ = recording.Recode(&body, bytes.NewReader(data), recording.RecodeOptions{Options: recording.Options{Format: format}, To: format})
		all = append(all, recorded{
			format: format, name: name, body: body.Bytes(),
			failed: strings.HasSuffix(strings.TrimSpace(cells[6]), "error"),
			cut:    name == "synth-no-done-no-finish" || name == "synth-truncated",
		})
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if len(all) != corpusSize {
		t.Fatalf("INDEX.md lists %d streams, want %d", len(all), corpusSize)
	}
	return all
}

// recordedBodies are all answers of the corpus that were not streamed.
func recordedBodies(t testing.TB) []recorded {
	var all []recorded
	for _, format := range wire.Formats() {
		files, err := filepath.Glob(filepath.Join(corpusDir(t), string(format), "*.json"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no whole answers of %s: %v", format, err)
		}
		for _, path := range files {
			body, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			report, err := recording.Inspect(bytes.NewReader(body), recording.Options{Format: format})
			failed := err == nil && report.Error != nil
			all = append(all, recorded{format: format, name: filepath.Base(path), body: body, failed: failed})
		}
	}
	return all
}

// caseHeader is passed on to the upstream, which chooses its reply by it.
const caseHeader = "X-Case"

// corpusBench serves replies by name.
func corpusBench(t testing.TB, set *policy.Set, replies map[string]sluicetest.Reply) *bench {
	b := newBench(t, func(c *gateway.Config) {
		c.Policies = policy.NewLive(set)
		c.Limits.Keepalive, c.Limits.FirstEvent = time.Hour, time.Hour
	})
	b.up.Answer(func(r *http.Request) sluicetest.Reply { return replies[r.Header.Get(caseHeader)] })
	return b
}

// checkStream checks what a client got of a recorded stream.
func checkStream(t *testing.T, s recorded, got *answer) {
	t.Helper()
	if got.err != nil {
		t.Fatalf("the answer cannot be read: %v", got.err)
	}
	story := got.story()
	blocked := blockedIn(story)
	report, violation := tolerant.Inspect(string(s.format), got.body)
	switch {
	case s.cut:
		if report.Ended || got.status == http.StatusOK && !report.Failed {
			t.Errorf("status %d and a report %+v for an answer that was cut", got.status, report)
		}
		if story.end.Outcome != gateway.Cut {
			t.Errorf("the outcome is %s", story.end.Outcome)
		}
	case s.failed:
		if report.Ended {
			t.Errorf("a good end for an answer that failed:\n%s", got.body)
		}
		if story.end.Outcome != gateway.UpstreamError {
			t.Errorf("the outcome is %s (%s)", story.end.Outcome, story.end.Error)
		}
		checkFailure(t, s, got.body)
	case len(blocked) > 0:
		if _, before := tolerant.Inspect(string(s.format), s.body); violation != nil && before == nil {
			t.Errorf("the stream without the blocked calls is not legal: %v", violation)
		}
		checkNothingOf(t, blocked, report, got.body)
	default:
		if settled[s.name] {
			sameBlocks(t, s.format, got.body, s.body)
		} else {
			samePayloads(t, withoutPings(t, got.body), withoutPings(t, s.body))
		}
		if got.status != http.StatusOK || story.end.Outcome != gateway.Complete {
			t.Errorf("status %d, outcome %s (%s)", got.status, story.end.Outcome, story.end.Error)
		}
	}
	if kind := got.header.Get("Content-Type"); got.status == http.StatusOK && !strings.HasPrefix(kind, "text/event-stream") {
		t.Errorf("a stream of the type %q", kind)
	}
}

// settled are streams whose calls can be read in two ways, because indices, ids or
// names are missing, repeated or split, or that mix what belongs to different
// blocks. The client gets the reading that was judged, and no other.
var settled = map[string]bool{
	"mistral-tool-call": true, "synth-two-calls-one-chunk-index-0": true, "synth-proxy-index-and-id-missing": true,
	"synth-ollama-index-always-0": true, "synth-n2-choices": true, "synth-name-split": true, "synth-gemini-compat-index-missing": true,
	"synth-overlapping-blocks": true, "synth-delta-without-index": true, "synth-interleaved-parallel": true, "synth-vllm-id-rotates": true,
}

// withoutPings leaves out signs of life, which do not wait behind a call that is
// held.
func withoutPings(t *testing.T, body []byte) []byte {
	t.Helper()
	var rest []byte
	for _, p := range payloadsOf(t, body) {
		if p.name != "ping" {
			rest = sse.AppendEvent(rest, p.name, []byte(p.data))
		}
	}
	return rest
}

// sameBlocks checks that two streams say the same.
func sameBlocks(t *testing.T, format wire.Format, got, want []byte) {
	t.Helper()
	read := func(body []byte) string {
		report, err := recording.Inspect(bytes.NewReader(body), recording.Options{Format: format})
		if err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(report.Choices, func(a, b recording.Choice) int { return a.Index - b.Index })
		said, err := json.Marshal(report.Choices)
		if err != nil {
			t.Fatal(err)
		}
		return string(said)
	}
	if got, want := read(got), read(want); got != want {
		t.Errorf("the client was told\n%s\nwant\n%s", got, want)
	}
}

// checkFailure checks that the provider's error reached the client in the
// provider's words, and nothing after it.
func checkFailure(t *testing.T, s recorded, got []byte) {
	t.Helper()
	told, sent := payloadsOf(t, got), payloadsOf(t, s.body)
	if len(told) == 0 || len(told) > len(sent) || !slices.Equal(told, sent[:len(told)]) || !strings.Contains(told[len(told)-1].data, "error") {
		t.Errorf("the client was told %q\nwant what the provider sent up to its error, %q", told, sent)
	}
}

// tolerant accepts what recorded providers do.
var tolerant = sluicetest.Options{AllowMissingRole: true, AllowMissingDone: true}

// call is a call that was kept from the client.
type call struct{ id, name, arguments string }

func blockedIn(s *story) []call {
	var all []call
	for _, r := range s.records {
		if !r.Delivered && r.Verdict.Action.Blocks() {
			all = append(all, call{r.ID, r.Name, r.In})
		}
	}
	return all
}

// checkNothingOf checks that nothing of blocked calls reached the client.
func checkNothingOf(t *testing.T, blocked []call, report sluicetest.Report, body []byte) {
	t.Helper()
	for _, c := range blocked {
		for _, got := range report.Calls {
			if c.id != "" && got.ID == c.id || got.Name == c.name && got.Arguments == c.arguments {
				t.Errorf("the blocked call %q reached the client", c)
			}
		}
		if c.id != "" && bytes.Contains(body, []byte(c.id)) {
			t.Errorf("the id %q of a blocked call is in the bytes:\n%s", c.id, body)
		}
		if len(c.arguments) > 8 && bytes.Contains(body, []byte(c.arguments)) {
			t.Errorf("the arguments %q of a blocked call are in the bytes", c.arguments)
		}
	}
}

// encodings are those that upstreams use although nobody asked for them.
var encodings = []string{"gzip", "br", "zstd", "deflate", "raw-deflate"}

// forms are the ways in which the answer with a number may come over the
// network: encoding takes time, so the answers take turns with the encodings.
func forms(number int, plain sluicetest.Reply, wrongType string) map[string]sluicetest.Reply {
	pieces, wrong, none := plain, plain, plain
	pieces.Seed, pieces.Piece = uint64(number)+1, 4<<10
	wrong.Header = http.Header{"Content-Type": {wrongType}}
	none.Header = nil
	encoding := encodings[number%len(encodings)]
	all := map[string]sluicetest.Reply{
		"plain": plain, "in random pieces": pieces, "with the wrong type": wrong, "without a type": none,
		"as " + encoding: plain.Encoded(encoding),
	}
	if number%8 == 0 {
		all["as zstd in gzip"] = plain.Encoded("zstd").Encoded("gzip")
	}
	return all
}

func TestCorpusStreamsPassByteForByte(t *testing.T) {
	streams := recordedStreams(t)
	replies := make(map[string]sluicetest.Reply)
	b := corpusBench(t, recommended(), replies)
	for number, s := range streams {
		name := string(s.format) + "/" + s.name
		all := forms(number, sluicetest.Events(s.body), "application/json")
		for form, reply := range all {
			replies[name+"/"+form] = reply
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for form := range all {
				t.Run(form, func(t *testing.T) { checkStream(t, s, b.ask(s.format, true, caseHeader, name+"/"+form)) })
			}
		})
	}
}

// A provider may answer a request for a body with a stream.
func TestCorpusStreamsWhereABodyWasAskedFor(t *testing.T) {
	streams := recordedStreams(t)
	replies := make(map[string]sluicetest.Reply)
	for _, s := range streams {
		replies[string(s.format)+"/"+s.name] = sluicetest.Events(s.body)
	}
	b := corpusBench(t, recommended(), replies)
	for _, s := range streams {
		t.Run(string(s.format)+"/"+s.name, func(t *testing.T) {
			t.Parallel()
			checkStream(t, s, b.ask(s.format, false, caseHeader, string(s.format)+"/"+s.name))
		})
	}
}

func TestCorpusBodiesPassByteForByte(t *testing.T) {
	bodies := recordedBodies(t)
	replies := make(map[string]sluicetest.Reply)
	b := corpusBench(t, recommended(), replies)
	for number, s := range bodies {
		name := string(s.format) + "/" + s.name
		all := forms(number, sluicetest.JSON(http.StatusOK, string(s.body)), "text/event-stream")
		for form, reply := range all {
			replies[name+"/"+form] = reply
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for form := range all {
				for _, stream := range []bool{false, true} {
					checkBody(t, form, s, b.ask(s.format, stream, caseHeader, name+"/"+form))
				}
			}
		})
	}
}

func checkBody(t *testing.T, form string, s recorded, got *answer) {
	t.Helper()
	story := got.story()
	blocked := blockedIn(story)
	report, violation := tolerant.InspectBody(string(s.format), got.body)
	switch {
	case s.failed:
		if report.Ended {
			t.Errorf("%s: a good end for an answer that failed:\n%s", form, got.body)
		}
	case len(blocked) > 0:
		if _, before := tolerant.InspectBody(string(s.format), s.body); violation != nil && before == nil {
			t.Errorf("%s: the answer without the blocked calls is not legal: %v", form, violation)
		}
		checkNothingOf(t, blocked, report, got.body)
	case !bytes.Equal(got.body, s.body) || got.status != http.StatusOK || story.end.Outcome != gateway.Complete:
		t.Errorf("%s: status %d, outcome %s (%s), want the %d bytes that the upstream sent, got %d:\n%.300s", form, got.status,
			story.end.Outcome, story.end.Error, len(s.body), len(got.body), got.body)
	}
	if kind := got.header.Get("Content-Type"); kind != "application/json" {
		t.Errorf("%s: a body of the type %q", form, kind)
	}
}

// With every call blocked nothing of one is left, and every answer is one that a
// strict client accepts.
func TestCorpusBlockedCallsLeaveNothing(t *testing.T) {
	set, err := policy.NewSet(policy.Func("none", func(*policy.Subject) policy.Verdict { return policy.Verdict{Action: policy.Block, Reason: "not here"} }))
	if err != nil {
		t.Fatal(err)
	}
	replies := make(map[string]sluicetest.Reply)
	b := corpusBench(t, set, replies)
	with := 0
	for _, s := range recordedStreams(t) {
		name := string(s.format) + "/" + s.name
		replies[name] = sluicetest.Events(s.body)
		got := b.ask(s.format, true, caseHeader, name)
		t.Run(name, func(t *testing.T) { checkStream(t, s, got) })
		if len(blockedIn(got.story())) > 0 {
			with++
		}
	}
	for _, s := range recordedBodies(t) {
		name := string(s.format) + "/" + s.name
		replies[name] = sluicetest.JSON(http.StatusOK, string(s.body))
		got := b.ask(s.format, false, caseHeader, name)
		t.Run(name, func(t *testing.T) { checkBody(t, "plain", s, got) })
		if len(blockedIn(got.story())) > 0 {
			with++
		}
	}
	if with < 100 {
		t.Errorf("only %d answers with blocked calls", with)
	}
}

// Comments, odd line ends and padding are framing; what is in the events passes.
func TestCorpusRawStreams(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(corpusDir(t), "sse", "*.sse"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no raw streams: %v", err)
	}
	formats := map[string]wire.Format{"anthropic": wire.Anthropic, "gemini": wire.Gemini, "openai-responses": wire.OpenAIResponses}
	b := newBench(t, nil)
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			body, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			format := wire.OpenAIChat
			for prefix, f := range formats {
				if strings.HasPrefix(filepath.Base(path), prefix) {
					format = f
				}
			}
			b.up.Script(sluicetest.Events(body))
			got := b.ask(format, true)
			if strings.HasPrefix(filepath.Base(path), "not-really") {
				if report, _ := sluicetest.Inspect(string(format), got.body); report.Ended {
					t.Errorf("a good end for what is no stream:\n%s", got.body)
				}
				return
			}
			samePayloads(t, got.body, body)
		})
	}
}

func TestCorpusRequestsReachTheUpstreamByteForByte(t *testing.T) {
	formats := map[string]wire.Format{
		"openai-chat-": wire.OpenAIChat, "azure-chat-": wire.OpenAIChat, "openrouter-": wire.OpenAIChat,
		"anthropic-": wire.Anthropic, "openai-responses-": wire.OpenAIResponses, "gemini": wire.Gemini,
	}
	files, err := filepath.Glob(filepath.Join(corpusDir(t), "requests", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no requests: %v", err)
	}
	b := newBench(t, nil)
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			body, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for prefix, format := range formats {
				if strings.HasPrefix(filepath.Base(path), prefix) {
					b.up.Script(reply(format, false, said("ok")))
					if got := b.do(http.MethodPost, target(format, false), nil, body); got.status != http.StatusOK {
						t.Errorf("status %d: %s", got.status, got.body)
					}
					if sent := b.lastAsked().Body; !bytes.Equal(sent, body) {
						t.Errorf("the upstream got\n%s\nwant\n%s", sent, body)
					}
					return
				}
			}
			t.Fatal("no format for this file name")
		})
	}
}
