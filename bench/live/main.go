package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/recording"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Getenv, os.Stdout)
	stop()
	os.Exit(code)
}

// question is one thing that every provider is asked.
type question struct {
	name  string
	text  string
	tools bool
	whole bool
	// calls is how many calls the answer must have at least.
	calls int
}

var questions = []question{
	{name: "text", text: "Name three colours, one per line, and nothing else."},
	{name: "call", text: "What is the weather in Tokyo? Use the tool.", tools: true, calls: 1},
	{name: "calls", text: "Say in one sentence what you will do, then get the weather in Tokyo and in London with two tool calls at once.", tools: true, calls: 1},
	{name: "whole", text: "What is the weather in Tokyo? Use the tool.", tools: true, whole: true, calls: 1},
}

func (q *question) request() *llm.Request {
	req := &llm.Request{
		Stream: !q.whole, MaxTokens: 1000,
		Messages: []llm.Message{{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content, Text: q.text}}}},
	}
	if q.tools {
		req.Tools = []llm.Tool{{
			Name: "get_weather", Description: "The weather in a city.",
			Schema: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`),
		}}
	}
	return req
}

// run asks every provider that there is a key for, and returns the exit code.
func run(ctx context.Context, args []string, env func(string) string, out io.Writer) int {
	flags := flag.NewFlagSet("live", flag.ContinueOnError)
	flags.SetOutput(out)
	dir := flags.String("out", "", "the directory for what was recorded; empty means a new temporary one")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if *dir == "" {
		made, err := os.MkdirTemp("", "sluice-live-")
		if err != nil {
			_, _ = fmt.Fprintln(out, "live:", err)
			return 1
		}
		*dir = made
	}
	asked, failed, deviations := 0, 0, 0
	for i := range providers {
		p := &providers[i]
		if p.key(env) == "" {
			_, _ = fmt.Fprintf(out, "%-16s skipped: set %s to ask this provider\n", p.format, strings.Join(p.keys, " or "))
			continue
		}
		for j := range questions {
			asked++
			q := &questions[j]
			noted, err := p.check(ctx, env, q, *dir)
			deviations += len(noted)
			verdict := "ok"
			if err != nil {
				failed++
				verdict = "FAILED: " + err.Error()
			}
			_, _ = fmt.Fprintf(out, "%-16s %-6s %s\n", p.format, q.name, verdict)
			for _, deviation := range noted {
				_, _ = fmt.Fprintf(out, "%-23s deviation: %s\n", "", deviation)
			}
		}
	}
	if asked == 0 {
		_, _ = fmt.Fprintln(out, "live: no provider was asked, because there is no key for one: nothing was checked")
		return 0
	}
	_, _ = fmt.Fprintf(out, "live: %d answers, %d failed, %d deviations; recorded in %s\n", asked, failed, deviations, *dir)
	if failed > 0 {
		return 1
	}
	return 0
}

// check asks one question, keeps the answer, and reads it. It returns the deviations.
func (p *provider) check(ctx context.Context, env func(string) string, q *question, dir string) ([]string, error) {
	answer, err := p.ask(ctx, env, q.request())
	if err != nil {
		return nil, err
	}
	name := filepath.Join(dir, string(p.format)+"-"+q.name+".sse")
	if q.whole {
		name = strings.TrimSuffix(name, ".sse") + ".json"
	}
	if err := os.WriteFile(name, answer, 0o600); err != nil {
		return nil, err
	}
	report, err := recording.Inspect(bytes.NewReader(answer), recording.Options{Format: p.format})
	if err != nil {
		return nil, fmt.Errorf("the answer cannot be read: %w", err)
	}
	calls := 0
	for i := range report.Choices {
		for _, b := range report.Choices[i].Blocks {
			if b.Kind == llm.ToolCall && b.Name == "get_weather" && b.Status == llm.Complete && llm.CheckArguments(b.Arguments) == nil {
				calls++
			}
		}
	}
	switch {
	case report.Failure != nil:
		err = report.Failure
	case !report.Complete && !q.whole:
		err = errors.New("the answer is not complete")
	case calls < q.calls:
		err = fmt.Errorf("the answer has %d whole calls of get_weather, want %d", calls, q.calls)
	default:
		err = p.passes(answer, q.whole)
	}
	return report.Warnings, err
}

// passes reports whether an answer is written as the payloads that arrived.
func (p *provider) passes(answer []byte, whole bool) error {
	var written bytes.Buffer
	opts := recording.RecodeOptions{Options: recording.Options{Format: p.format}, To: p.format}
	if err := recording.Recode(&written, bytes.NewReader(answer), opts); err != nil {
		return fmt.Errorf("the answer cannot be written: %w", err)
	}
	came, err := payloads(answer)
	if err != nil {
		return err
	}
	left, err := payloads(written.Bytes())
	if err != nil {
		return err
	}
	if !bytes.Equal(came, left) {
		return fmt.Errorf("the answer is not written as it came (whole %v)", whole)
	}
	return nil
}

// payloads are the payloads of an answer, one per line.
func payloads(answer []byte) ([]byte, error) {
	source, err := recording.NewSource(bytes.NewReader(answer), 0)
	if err != nil {
		return nil, err
	}
	var all []byte
	for {
		_, data, err := source.NextPayload()
		if err == io.EOF { //nolint:errorlint // only io.EOF itself is an end
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		all = append(append(all, data...), '\n')
	}
}
