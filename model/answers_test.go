package model_test

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// What is no answer is never a success, with or without content.
func TestWhatIsNoAnswerIsAnError(t *testing.T) {
	bodies := map[string]string{
		"nothing":            "",
		"blank lines":        "\n\n\n",
		"an empty object":    "{}",
		"an unknown object":  `{"hello":"world"}`,
		"an empty list":      "[]",
		"a list of nothing":  "[{}]",
		"null":               "null",
		"a number":           "42",
		"a text":             `"ok"`,
		"a page":             "<html></html>",
		"prose":              "upstream connect error",
		"binary":             "\x1f\x8b\x08\x00garbage",
		"zeros":              strings.Repeat("\x00", 1000),
		"comments":           ": a\n\n: b\n\n",
		"an empty event":     "data:\n\n",
		"an unknown event":   "event: x\ndata: {\"hello\":1}\n\n",
		"null as an event":   "data: null\n\n",
		"half an object":     `{"id":"x"`,
		"half a name":        "da",
		"a name":             "data",
		"an unfinished line": "data: {",
	}
	for _, format := range wire.Formats() {
		for name, body := range bodies {
			t.Run(string(format)+"/"+name, func(t *testing.T) {
				m := provider(t, model.Config{Format: format}, text(body))
				if res, err := model.Collect(t.Context(), m, ask()); err == nil {
					t.Errorf("%+v", res)
				}
			})
		}
	}
}

// A server that speaks another dialect than the one that was configured does not
// answer with nothing.
func TestAnotherDialectIsAnError(t *testing.T) {
	blocks := [][]llm.Block{{{Kind: llm.Content, Text: "hello"}, {Kind: llm.ToolCall, ID: "c", Name: "f", Arguments: `{"a":1}`}}}
	for _, speaks := range wire.Formats() {
		for _, expected := range wire.Formats() {
			if speaks == expected {
				continue
			}
			events := string(sluicetest.SSE(string(speaks), sluicetest.Build(string(speaks), blocks, sluicetest.BuildOptions{})))
			for _, body := range []string{events, sluicetest.BuildBody(string(speaks), blocks, sluicetest.BuildOptions{})} {
				m := provider(t, model.Config{Format: expected}, text(body))
				if res, err := model.Collect(t.Context(), m, ask()); err == nil {
					t.Errorf("%s read as %s: %+v", speaks, expected, res)
				}
			}
		}
	}
}

// A caller that gives up sees no further event, not even of what has arrived,
// only the reason.
func TestACallerCanGiveUpAtEveryEvent(t *testing.T) {
	why := errors.New("enough")
	blocks := [][]llm.Block{{{Kind: llm.Content, Text: "hello"}, {Kind: llm.ToolCall, ID: "c", Name: "f", Arguments: `{"a":1}`}}}
	for _, format := range wire.Formats() {
		for name, body := range map[string]string{
			"events": string(sluicetest.SSE(string(format), sluicetest.Build(string(format), blocks, sluicetest.BuildOptions{}))),
			"whole":  sluicetest.BuildBody(string(format), blocks, sluicetest.BuildOptions{}),
		} {
			m := provider(t, model.Config{Format: format}, text(body))
			for stop, done := 1, false; !done; stop++ {
				ctx, cancel := context.WithCancelCause(t.Context())
				seen := 0
				var last error
				for ev, err := range m.Stream(ctx, ask()) {
					if seen++; seen == stop {
						cancel(why)
					}
					done = done || ev.Type == stream.EventDone
					last = err
				}
				cancel(nil)
				switch {
				case done && (last != nil || seen > stop):
					t.Errorf("%s, %s: stopped at %d, saw %d, %v", format, name, stop, seen, last)
				case !done && (!errors.Is(last, why) || seen != stop+1):
					t.Fatalf("%s, %s: stopped at %d, saw %d, %v", format, name, stop, seen, last)
				}
			}
		}
	}
}

func TestBlankLinesAndThenNothingIsTriedAgain(t *testing.T) {
	s := &sequence{handlers: []http.HandlerFunc{text("\n\n"), text("\n\n" + good)}}
	_, err := model.Collect(t.Context(), provider(t, model.Config{}, s), ask())
	if err != nil || s.count.Load() != 2 {
		t.Errorf("%v, %d requests", err, s.count.Load())
	}
}

// A ping is no part of an answer: nobody can act on it.
func TestAnErrorAfterAPingIsTriedAgain(t *testing.T) {
	ping := "event: ping\ndata: {\"type\":\"ping\"}\n\n"
	answer := string(sluicetest.SSE(string(wire.Anthropic), sluicetest.Build(string(wire.Anthropic), [][]llm.Block{{{Kind: llm.Content, Text: "ok"}}}, sluicetest.BuildOptions{})))
	s := &sequence{handlers: []http.HandlerFunc{text(ping + "event: error\ndata: " + overloaded + "\n\n"), text(ping + answer)}}
	res, err := model.Collect(t.Context(), provider(t, model.Config{Format: wire.Anthropic}, s), ask())
	if err != nil || s.count.Load() != 2 || res.Choices[0].Blocks[0].Text != "ok" {
		t.Errorf("%+v, %v, %d requests", res, err, s.count.Load())
	}
}

// Whatever the consumer saw, it saw once: a request whose answer was cut after
// any number of bytes is made again only if nothing of it was yielded.
func TestNothingIsTriedAgainOnceSomethingWasSeen(t *testing.T) {
	for _, format := range wire.Formats() {
		t.Run(string(format), func(t *testing.T) {
			blocks := [][]llm.Block{{{Kind: llm.Content, Text: "hello"}, {Kind: llm.ToolCall, ID: "c", Name: "f", Arguments: `{"a":1}`}}}
			whole := string(sluicetest.SSE(string(format), sluicetest.Build(string(format), blocks, sluicetest.BuildOptions{})))
			for at := 0; at < len(whole); at += 7 {
				s := &sequence{handlers: []http.HandlerFunc{crash(whole[:at]), text(whole)}}
				m := provider(t, model.Config{Format: format}, s)
				seen, done := 0, false
				var last error
				for ev, err := range m.Stream(t.Context(), ask()) {
					if err == nil && s.count.Load() == 1 {
						seen++
					}
					done = ev.Type == stream.EventDone
					last = err
				}
				again := s.count.Load() == 2
				if again != (seen == 0) || s.count.Load() > 2 {
					t.Fatalf("cut after %d bytes: %d events, %d requests", at, seen, s.count.Load())
				}
				if again && (last != nil || !done) {
					t.Fatalf("cut after %d bytes: %v", at, last)
				}
				// A break after the dialect's proof of its end does not
				// matter.
				if !again && last != nil && !errors.Is(last, stream.ErrIncomplete) {
					t.Fatalf("cut after %d bytes: %v", at, last)
				}
			}
		})
	}
}

func TestTheEndIsSeenOnceAndLast(t *testing.T) {
	round := scripted.Round{scripted.Thinking("hm"), scripted.Text("x"), scripted.Call("f", "{}"), scripted.Call("g", "{}"), scripted.Usage(1, 2)}
	for _, format := range wire.Formats() {
		m := provider(t, model.Config{Format: format}, scripted.New(round).Handler(format))
		done := 0
		var last stream.EventType
		for ev, err := range m.Stream(t.Context(), ask()) {
			if err != nil {
				t.Fatal(err)
			}
			if last = ev.Type; last == stream.EventDone {
				done++
			}
		}
		if done != 1 || last != stream.EventDone {
			t.Errorf("%s: %d ends, the last event is %v", format, done, last)
		}
	}
}

func TestEveryStreamCanBeLeftAtEveryEvent(t *testing.T) {
	round := scripted.Round{scripted.SignedThinking("hm", "S"), scripted.Text("some text"), scripted.Call("f", "{}"), scripted.Call("g", "{}"), scripted.Usage(1, 2)}
	for _, format := range wire.Formats() {
		for _, end := range []scripted.Step{scripted.Finish(llm.FinishLength), scripted.Fail(&stream.ProviderError{Type: "x"}), scripted.Cut(), scripted.Garbage()} {
			script := scripted.New(append(scripted.Round{scripted.When(func(*llm.Request) bool { return true })}, append(round, end)...))
			m := provider(t, model.Config{Format: format}, script.Handler(format))
			for stop := 1; ; stop++ {
				seen := 0
				for range m.Stream(t.Context(), ask()) {
					if seen++; seen == stop {
						break
					}
				}
				if seen < stop {
					break
				}
			}
		}
	}
}

func TestAProviderServesManyAtOnce(t *testing.T) {
	for _, format := range wire.Formats() {
		script := scripted.New(scripted.Round{scripted.When(func(*llm.Request) bool { return true }), scripted.Text("hello, you"), scripted.Call("f", "{}")})
		m := provider(t, model.Config{Format: format, Headers: http.Header{"x-custom": {"a", "b"}}}, script.Handler(format))
		var wg sync.WaitGroup
		for i := range 16 {
			wg.Go(func() {
				if i%2 == 1 {
					for range m.Stream(t.Context(), ask()) {
						break
					}
					return
				}
				res, err := model.Collect(t.Context(), m, ask())
				if err != nil || len(res.Choices) != 1 || res.Choices[0].Blocks[0].Text != "hello, you" {
					t.Errorf("%+v, %v", res, err)
				}
			})
		}
		wg.Wait()
	}
}

func TestLimitsHoldAtTheLimit(t *testing.T) {
	// An event counts with all of its lines.
	longest := strings.Index(good, "\n\n")
	for name, c := range map[string]struct {
		limits model.Limits
		fits   bool
	}{
		"answer of the limit":  {model.Limits{Answer: len(good)}, true},
		"answer one over":      {model.Limits{Answer: len(good) - 1}, false},
		"payload of the limit": {model.Limits{Payload: longest}, true},
		"payload far over":     {model.Limits{Payload: longest / 2}, false},
	} {
		_, err := model.Collect(t.Context(), provider(t, model.Config{Limits: c.limits}, text(good)), ask())
		if c.fits != (err == nil) || !c.fits && !isType[*stream.LimitError](err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A few bytes that become many are bounded by what they become.
func TestABombIsBounded(t *testing.T) {
	bomb := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		defer z.Close()
		fmt.Fprint(z, firstHalf+"data: ")
		block := []byte(strings.Repeat("x", 1<<20))
		for range 64 {
			if _, err := z.Write(block); err != nil {
				return
			}
		}
	})
	for _, limits := range []model.Limits{{Payload: 1 << 20}, {Answer: 2 << 20}} {
		if _, err := model.Collect(t.Context(), provider(t, model.Config{Limits: limits}, bomb), ask()); !isType[*stream.LimitError](err) {
			t.Errorf("%v", err)
		}
	}
}

func TestACompressedAnswerIsSeenWhileItArrives(t *testing.T) {
	seen := make(chan struct{})
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		fmt.Fprint(z, firstHalf)
		_ = z.Flush()
		_ = http.NewResponseController(w).Flush()
		select {
		case <-seen:
		case <-r.Context().Done():
		}
		fmt.Fprint(z, good)
		z.Close()
	})
	once := sync.OnceFunc(func() { close(seen) })
	for ev, err := range provider(t, model.Config{}, h).Stream(t.Context(), ask()) {
		if err != nil {
			t.Fatal(err)
		}
		if ev.Type == stream.EventDelta {
			once()
		}
	}
}

func TestACompressionThatNobodyAskedForIsNamed(t *testing.T) {
	for _, status := range []int{200, 400} {
		h := refuse(status, http.Header{"Content-Encoding": {"br"}}, "\x0b\x02\x80hello\x03")
		_, err := model.Collect(t.Context(), provider(t, model.Config{}, h), ask())
		if err == nil || status == 200 && (!isType[*model.ContentError](err) || !strings.Contains(err.Error(), "br")) {
			t.Errorf("%d: %v", status, err)
		}
	}
}
