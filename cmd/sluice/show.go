package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/recording"
)

var kindColours = map[llm.Kind]colour{
	llm.Content:    green,
	llm.Thinking:   dim,
	llm.Refusal:    red,
	llm.ToolCall:   yellow,
	llm.ServerTool: blue,
	llm.ToolResult: cyan,
	llm.Opaque:     purple,
}

// showJSON prints a value as one line of JSON. Characters that move the cursor
// or change the direction of text are escaped, because people look at it, too.
func showJSON(w io.Writer, value any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return err
	}
	var safe strings.Builder
	for _, r := range b.String() {
		switch {
		case r == '\n' || !acts(r):
			safe.WriteRune(r)
		case r <= 0xFFFF:
			fmt.Fprintf(&safe, "\\u%04x", r)
		default:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&safe, "\\u%04x\\u%04x", high, low)
		}
	}
	_, err := io.WriteString(w, safe.String())
	return err
}

// show prints a report for people.
func show(w io.Writer, p painter, r *recording.Report) error {
	var b strings.Builder
	head := []string{p.paint(bold, oneLine(r.File, 200)), string(r.Format)}
	if r.Model != "" {
		head = append(head, oneLine(r.Model, 80))
	}
	if r.ID != "" {
		head = append(head, p.paint(dim, oneLine(r.ID, 80)))
	}
	fmt.Fprintln(&b, strings.Join(head, "  "))
	for _, c := range r.Choices {
		if len(r.Choices) > 1 {
			fmt.Fprintf(&b, "  choice %d\n", c.Index)
		}
		for i, block := range c.Blocks {
			showBlock(&b, p, i, block, 100)
		}
		finish := p.paint(yellow, "none")
		if c.FinishReason != nil {
			finish = oneLine(*c.FinishReason, 80)
		}
		fmt.Fprintf(&b, "  finish    %s\n", finish)
	}
	showUsage(&b, r)
	showEnd(&b, p, r)
	for _, text := range r.Warnings {
		fmt.Fprintf(&b, "  %s %s\n", p.paint(yellow, "warning"), oneLine(text, 400))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// showBlock prints a block with the beginning of what it says.
func showBlock(b *strings.Builder, p painter, i int, block recording.Block, most int) {
	label := fmt.Sprintf("%-11s", block.Kind)
	status := ""
	switch block.Status {
	case llm.Complete:
	case llm.Open, llm.Incomplete, llm.Malformed:
		status = " " + p.paint(red, block.Status.String())
	}
	body := block.Text
	if block.Kind == llm.ToolCall || block.Kind == llm.ServerTool {
		body = block.Arguments
	}
	var facts []string
	if block.Name != "" {
		facts = append(facts, p.paint(bold, oneLine(block.Name, 80)))
	} else if block.Type != "" && block.Kind != llm.Content {
		facts = append(facts, oneLine(block.Type, 80))
	}
	for _, id := range []string{block.ID, block.ToolUseID} {
		if id != "" {
			facts = append(facts, p.paint(dim, oneLine(id, 60)))
		}
	}
	facts = append(facts, size(len(body)))
	if block.Signature != "" {
		facts = append(facts, p.paint(dim, "signed"))
	}
	if seconds(block.Ended) != seconds(0) { // it was read as it arrived
		facts = append(facts, p.paint(dim, fmt.Sprintf("%s-%s", seconds(block.Began), seconds(block.Ended))))
	}
	fmt.Fprintf(b, "  %3d  %s%s  %s\n", i, p.paint(kindColours[block.Kind], label), status, strings.Join(facts, "  "))
	if body != "" {
		fmt.Fprintf(b, "       %s\n", oneLine(body, most))
	}
}

func showUsage(b *strings.Builder, r *recording.Report) {
	if r.Usage == nil {
		return
	}
	t := r.Tokens
	fmt.Fprintf(b, "  usage     %d in", t.Input)
	if t.CacheRead > 0 || t.CacheWrite > 0 {
		fmt.Fprintf(b, " (cache: %d read, %d written)", t.CacheRead, t.CacheWrite)
	}
	fmt.Fprintf(b, ", %d out", t.Output)
	if t.Reasoning > 0 {
		fmt.Fprintf(b, " (%d reasoning)", t.Reasoning)
	}
	b.WriteByte('\n')
}

func showEnd(b *strings.Builder, p painter, r *recording.Report) {
	verdict := p.paint(green, "complete")
	if !r.Complete {
		verdict = p.paint(red, "incomplete")
	}
	fmt.Fprintf(b, "  %s  %s, %s of %s", verdict, count(r.Payloads, "payload"), size(r.Bytes), r.Container)
	if seconds(r.Took) != seconds(0) {
		fmt.Fprintf(b, ", %s", seconds(r.Took))
	}
	b.WriteByte('\n')
	if r.Failure != nil {
		fmt.Fprintf(b, "  %s     %s\n", p.paint(red, "error"), failureText(r.Failure))
	}
}

func size(n int) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 10<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return count(n, "byte")
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2fs", d.Seconds()) }
