package main

import (
	"bytes"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sluice-project/sluice/sluicetest"
)

func TestScriptsAreLegalAnswersOfTheSizeThatIsPromised(t *testing.T) {
	for _, c := range []struct {
		model  string
		events int
		check  func([]byte) error
	}{
		{modelTurn, 137, sluicetest.ValidateOpenAIChat},
		{modelPaced, 137, sluicetest.ValidateOpenAIChat},
		{modelHistory, 137, sluicetest.ValidateOpenAIChat},
		{modelLong, 5 + longPieces, sluicetest.ValidateOpenAIChat},
		{modelAnthropic, 145, sluicetest.ValidateAnthropic},
		{modelPlain, 1, func(body []byte) error { return sluicetest.ValidateBody(sluicetest.OpenAIChat, body) }},
	} {
		s := scripts()[c.model]
		if len(s.events) != c.events {
			t.Errorf("%s has %d events, not %d", c.model, len(s.events), c.events)
		}
		if err := c.check(s.body); err != nil {
			t.Errorf("%s: %v", c.model, err)
		}
		if got := modelOf(s.request); got != c.model {
			t.Errorf("the request for %s asks for %q", c.model, got)
		}
	}
	if n := len(scripts()[modelTurn].body); n < 40<<10 || n > 52<<10 {
		t.Errorf("the turn has %d bytes, not about 47,000", n)
	}
}

func TestVerifierNoticesWhatIsNotAsItWasSent(t *testing.T) {
	body := func(model string) []byte { return bytes.Clone(scripts()[model].body) }
	for _, c := range []struct {
		name, model string
		change      func([]byte) []byte
		same        bool
	}{
		{"the same", modelTurn, func(b []byte) []byte { return b }, true},
		{"another byte", modelTurn, func(b []byte) []byte { b[5000] ^= 1; return b }, false},
		{"a byte more at the end", modelTurn, func(b []byte) []byte { return append(b, '\n') }, false},
		{"less at the end", modelTurn, func(b []byte) []byte { return b[:len(b)-1] }, false},
		{"a comment between events", modelTurn, func(b []byte) []byte { return bytes.Replace(b, []byte("\n\n"), []byte("\n\n: hi\n\n"), 1) }, false},
		{"with times", modelPaced, stampAll, true},
		{"with times that go back", modelPaced, func(b []byte) []byte { return swapEvents(stampAll(b)) }, false},
		{"with a time that is none", modelPaced, func(b []byte) []byte {
			return bytes.Replace(stampAll(b), []byte("1000000000000000007"), []byte("100000000000000000x"), 1)
		}, false},
		{"with times and another byte", modelPaced, func(b []byte) []byte { b = stampAll(b); b[5000] ^= 1; return b }, false},
		{"with times and an event more", modelPaced, func(b []byte) []byte { return append(stampAll(b), "data: [DONE]\n\n"...) }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			sent := c.change(body(c.model))
			for _, piece := range []int{1, 7, 4096, len(sent)} {
				v := verifier{script: scripts()[c.model]}
				var err error
				for at := 0; at < len(sent) && err == nil; at += piece {
					err = v.take(sent[at:min(len(sent), at+piece)], time.Now(), nil)
				}
				if same := err == nil && v.at == len(v.script.body); same != c.same {
					t.Errorf("in pieces of %d it was taken for the same: %t, %v", piece, same, err)
				}
			}
		})
	}
}

// stampAll puts times that grow where the upstream puts the time.
func stampAll(b []byte) []byte {
	for i, e := range scripts()[modelPaced].events {
		if e.stamp >= 0 {
			copy(b[e.stamp:], strconv.Itoa(1_000_000_000_000_000_000+i))
		}
	}
	return b
}

// swapEvents swaps the times of two events.
func swapEvents(b []byte) []byte {
	s := string(b)
	s = strings.Replace(s, "1000000000000000003", "x", 1)
	s = strings.Replace(s, "1000000000000000004", "1000000000000000003", 1)
	return []byte(strings.Replace(s, "x", "1000000000000000004", 1))
}

func TestNobodyIsFavouredByTheOrder(t *testing.T) {
	for targets := 1; targets <= 5; targets++ {
		follows := make(map[[2]int]int)
		who := order(targets)
		for i, b := range who {
			follows[[2]int{who[(i+len(who)-1)%len(who)], b}]++
		}
		for a := range targets {
			for b := range targets {
				if n := follows[[2]int{a, b}]; n != 1 {
					t.Errorf("of %d targets %d follows %d %d times in %v", targets, b, a, n, who)
				}
			}
		}
	}
}

func TestFloorAndUpstreamAnswerWithTheScript(t *testing.T) {
	up := httptest.NewServer(&upstream{scripts: scripts()})
	defer up.Close()
	proxy, err := newFloor(up.URL)
	if err != nil {
		t.Fatal(err)
	}
	front := httptest.NewServer(proxy)
	defer front.Close()
	transport := newTransport()
	defer transport.CloseIdleConnections()
	for _, base := range []string{up.URL, front.URL} {
		for model, s := range scripts() {
			if s.endless {
				continue
			}
			c := newClient(transport)
			if _, err := c.fetch(t.Context(), base, s); err != nil {
				t.Errorf("%s: %v", model, err)
			}
			if timed := len(c.transits) > 0; timed != (s.pace > 0) {
				t.Errorf("%s: the way of events was timed: %t", model, timed)
			}
		}
	}
}

func TestPromisesAreJudgedAtTheirLimits(t *testing.T) {
	const request = 1024
	for _, c := range []struct {
		name, mode, figure  string
		direct, floor, ours float64
		met                 bool
		promised            string
	}{
		{"first byte at the limit", modeAlone, figTTFT50, 1, 2, 2.15, true, "added TTFT p50"},
		{"first byte beyond it", modeAlone, figTTFT50, 1, 2, 2.16, false, "added TTFT p50"},
		{"tail at the limit", modeAlone, figTTFT99, 1, 3, 4, true, "added TTFT p99"},
		{"tail beyond it", modeAlone, figTTFT99, 1, 3, 4.1, false, "added TTFT p99"},
		{"rate at the limit", modeBurst, figRate, 0, 1000, 900, true, "burst: streams/s"},
		{"rate below it", modeBurst, figRate, 0, 1000, 899, false, "burst: streams/s"},
		{"processor time at the limit", modeBurst, figCPU, 0, 100, 135, true, "burst: CPU"},
		{"processor time beyond it", modeBurst, figCPU, 0, 100, 136, false, "burst: CPU"},
		{"memory with the request", modeIdle, figStream, 0, 60, 65, true, "idle: "},
		{"memory beyond it", modeIdle, figStream, 0, 60, 65.1, false, "idle: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := &board{}
			for range 3 {
				b.add(c.mode, direct, c.figure, c.direct)
				b.add(c.mode, floor, c.figure, c.floor)
				b.add(c.mode, sluice, c.figure, c.ours)
				b.added(c.mode, figTTFT50, figAdded50)
				b.added(c.mode, figTTFT99, figAdded99)
			}
			for _, p := range judge(b, request) {
				if strings.HasPrefix(p.Name, c.promised) && (!p.Measured || p.Met != c.met) {
					t.Errorf("%s: %s: measured %t, met %t", p.Name, p.Said, p.Measured, p.Met)
				}
			}
		})
	}
}

func TestOneErrorMissesATarget(t *testing.T) {
	b := &board{}
	b.fail(modeBurst, sluice, 1, errGone)
	list := judge(b, 0)
	if last := list[len(list)-1]; last.Met || !strings.Contains(last.Said, errGone.Error()) {
		t.Errorf("%+v", last)
	}
}
