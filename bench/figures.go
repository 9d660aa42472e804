package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/text"
)

// figure is a piece of work that is measured as a whole, not per chunk.
type figure struct {
	name string
	// bytes is how much text one run reads, 0 if that is not meaningful.
	bytes int
	run   func()
	times int
	// cpu is the processor time of one run in each round, in nanoseconds.
	cpu []float64
}

// The names of the figures that targets refer to.
const (
	figureDecision  = "decision/"
	figureText      = "text/50 patterns, clean"
	figureTwiceText = "text/50 patterns, clean, twice as long"
)

// textSize is how much text is searched in one run, pageSize the size of its
// pieces.
const (
	textSize = 1 << 20
	pageSize = 4 << 10
)

// figures returns what is measured as a whole. Loading the policies takes a
// moment, so only what was requested is created.
func (o options) figures() []*figure {
	makers := []struct {
		name string
		make func() *figure
	}{
		{figureDecision + "a call of no known kind, 4 KB", decision("get_weather", `{"location":"`+filler("x", 4000)+`"}`)},
		{figureDecision + "a shell command, 4 KB", decision("Bash", `{"command":"go test ./... && git status # `+filler("x", 4000)+`"}`)},
		{figureDecision + "a file that is written, 4 KB", decision("Write", `{"file_path":"/home/u/p/main.go","content":"`+filler(`if x { y() } `, 4000)+`"}`)},
		{figureText, search(textSize, pageSize)},
		{figureTwiceText, search(2*textSize, pageSize)},
		{"text/50 patterns, clean, in pieces of 24 bytes", search(textSize, 24)},
	}
	var list []*figure
	for _, m := range makers {
		if o.contender != "" || !strings.Contains(m.name, o.stream) {
			continue
		}
		f := m.make()
		f.name = m.name
		f.run() // buffers and caches
		start := time.Now()
		f.run()
		f.times = int(max(1, o.atLeast/max(time.Since(start), time.Microsecond)))
		list = append(list, f)
	}
	return list
}

// decision decides about one call with the recommended policies, as if it were
// a message of its own. It is one that they allow.
func decision(tool, arguments string) func() *figure {
	return func() *figure {
		set := recommended()
		call := llm.Block{Kind: llm.ToolCall, ID: "call_1", Name: tool, Arguments: arguments, Status: llm.Complete}
		return &figure{run: func() {
			record := set.Decide(context.Background(), nil, call, policy.Options{})
			if !record.Delivered {
				fmt.Fprintf(os.Stderr, "bench: %s is not allowed: %s\n", tool, record.Verdict.Reason)
				os.Exit(1)
			}
		}}
	}
}

// search streams text in which nothing matches through patterns, in pieces.
func search(size, piece int) func() *figure {
	return func() *figure {
		chain, err := text.Compile(text.Rule{Name: "secrets", Patterns: patterns(), Replacement: "[redacted]"})
		must(err)
		clean := []byte(filler(spoken, size))
		return &figure{bytes: size, run: func() {
			s := chain.NewStream(text.StreamOptions{})
			for at := 0; at < len(clean); at += piece {
				s.Write(clean[at:min(len(clean), at+piece)])
				s.Pieces()
			}
			s.End()
			s.Pieces()
		}}
	}
}

// patterns are 50 of the kind that people search a model's answers for:
// prefixes of keys, assignments, addresses with passwords, numbers.
func patterns() []string {
	list := []string{
		`-----BEGIN [A-Z ]*PRIVATE KEY-----(?s:.*?)-----END [A-Z ]*PRIVATE KEY-----`,
		`\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`,
		`\b[a-z]+://[^\s:@/]+:[^\s:@/]+@[^\s/]+`,
		`\b[0-9]{3}-[0-9]{2}-[0-9]{4}\b`,
		`\b[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{4}\b`,
		`\b[A-Za-z0-9._%+-]+@internal\.example\b`,
		`(?i)\bauthorization:\s*(?:bearer|basic)\s+[A-Za-z0-9._+/=-]{12,}`,
	}
	for _, name := range []string{"password", "passwd", "api[_-]?key", "secret[_-]?key", "access[_-]?token", "client[_-]?secret"} {
		list = append(list, `(?i)\b`+name+`\s*[:=]\s*["'][^"'\n]{8,}["']`)
	}
	for i := 0; len(list) < 50; i++ { // keys with the prefix of their service
		list = append(list, fmt.Sprintf(`\b%c%c%c_(?:live|test)_[0-9A-Za-z]{%d,}\b`, 'a'+i%26, 'a'+i*7%26, 'a'+i*11%26, 20+i))
	}
	return list
}

// spoken is text and code in which the patterns find nothing.
const spoken = `A policy sees each block before the client can act on it, and says what may pass. Most of what a model
says is of no interest to any of them, so it must cost next to nothing to find that out.

	for _, b := range blocks {
		if verdict := set.Decide(ctx, exchange, b); verdict.Action != Allow { // most are
			return fmt.Errorf("block %d of %d: %s", b.Index, len(blocks), verdict.Reason)
		}
	}

See https://localhost:8484/console/ for the last 24 hours: 18,300 exchanges, 0.4% blocked, p99 of 38 ms on 2 cores.
`

// filler repeats a text up to a size.
func filler(s string, size int) string { return strings.Repeat(s, size/len(s)+1)[:size] }

// measure adds one sample, as cells do.
func (f *figure) measure() {
	runtime.GC()
	before := cpuTime()
	for range f.times {
		f.run()
	}
	f.cpu = append(f.cpu, float64((cpuTime()-before).Nanoseconds())/float64(f.times))
}

// figureRow summarises the rounds of a figure.
type figureRow struct {
	Name string `json:"name"`
	CPU  spread `json:"cpu_ns"`
	// MBs is the throughput in MB per second of CPU time, 0 if the figure is
	// not about text.
	MBs float64 `json:"mb_per_s,omitempty"`
	// Twice is what twice the text costs, in the same rounds.
	Twice float64 `json:"twice,omitempty"`
}

func collectFigures(list []*figure) []figureRow {
	rows := make([]figureRow, 0, len(list))
	for _, f := range list {
		row := figureRow{Name: f.name, CPU: spreadOf(f.cpu)}
		if f.bytes > 0 {
			row.MBs = float64(f.bytes) / row.CPU.Median * 1e3
		}
		if i := slices.IndexFunc(list, func(o *figure) bool { return o.name == figureTwiceText }); f.name == figureText && i >= 0 {
			row.Twice = medianRatio(list[i].cpu, f.cpu)
		}
		rows = append(rows, row)
	}
	return rows
}
