package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/recording"
)

// showTrial prints how policies judged an answer, for people.
func showTrial(w io.Writer, p painter, t *streamTrial) error {
	var b strings.Builder
	head := []string{p.paint(bold, oneLine(t.File, 200)), string(t.Format)}
	if t.Before.Model != "" {
		head = append(head, oneLine(t.Before.Model, 80))
	}
	fmt.Fprintln(&b, strings.Join(head, "  "))
	showSet(&b, p, t.Set)
	type place struct{ choice, block int }
	records := make(map[place]*policy.Record, len(t.Records))
	for i := range t.Records {
		records[place{t.Records[i].Choice, t.Records[i].Block}] = &t.Records[i]
	}
	for _, c := range t.Before.Choices {
		if len(t.Before.Choices) > 1 {
			fmt.Fprintf(&b, "  choice %d\n", c.Index)
		}
		for i, block := range c.Blocks {
			showBlock(&b, p, i, block, 200)
			if r := records[place{c.Index, i}]; r != nil {
				showRecord(&b, p, r)
			} else {
				said(&b, p.paint(yellow, label("no verdict")), "the answer ended before its verdict")
			}
			for _, w := range t.Why {
				if w.Choice == c.Index && w.Block == i {
					showWhy(&b, p, w.Why, t.asksWhy)
				}
			}
		}
	}
	showDelivered(&b, p, t)
	showOutcome(&b, p, t)
	_, err := io.WriteString(w, b.String())
	return err
}

func showSet(b *strings.Builder, p painter, t *trial) {
	names := make([]string, 0, len(t.Files))
	for _, name := range t.Files {
		names = append(names, oneLine(name, 200))
	}
	fmt.Fprintf(b, "%s: %s\n", cmp.Or(strings.Join(names, ", "), "no policies"),
		p.paint(dim, countOf(t.Policies, "policy", "policies")+", version "+t.Version))
	note := t.loaded.Note()
	if note != "" {
		fmt.Fprintf(b, "%s %s\n", p.paint(yellow, "warning"), oneLine(note, 1000))
	}
	for _, text := range t.Notes {
		if text != note {
			fmt.Fprintf(b, "%s %s\n", p.paint(dim, "note"), oneLine(text, 1000))
		}
	}
	for _, w := range t.Warnings {
		fmt.Fprintf(b, "%s %s\n", p.paint(yellow, "warning"), oneLine(file.Problem{File: w.File, Line: w.Line, Column: w.Column, Policy: w.Policy, Message: w.Message, Suggestion: w.Suggestion}.String(), 1000))
	}
}

// said prints a line of what is said about a block.
func said(b *strings.Builder, label, text string) {
	fmt.Fprintf(b, "       %s %s\n", label, text)
}

// label is a word at the beginning of a line, wide enough for every action.
func label(word string) string { return fmt.Sprintf("%-14s", word) }

// showRecord prints the verdict on a block: the one that counted with its
// reasons, then the others.
func showRecord(b *strings.Builder, p painter, r *policy.Record) {
	v := &r.Verdict
	var facts []string
	if r.Held > 0 {
		facts = append(facts, "held "+size(len(r.In)))
	}
	if r.Latency > 0 {
		facts = append(facts, "judged in "+brief(r.Latency))
	}
	if r.Discarded > 0 {
		facts = append(facts, fmt.Sprintf("judged %d times too early", r.Discarded))
	}
	about := p.paint(dim, strings.Join(facts, ", "))
	if about == "" {
		about = p.paint(dim, "no policy held it")
	}
	if v.Policy == "" && v.Reason == "" {
		said(b, p.paint(actionColour(v.Action), label(actionName(v.Action))), about)
	} else {
		said(b, p.paint(actionColour(v.Action), label(actionName(v.Action))), reasonOf(p, v))
		if len(facts) > 0 {
			said(b, label(""), about)
		}
	}
	showDetails(b, p, v)
	if r.Delivered && r.In != r.Out {
		said(b, p.paint(yellow, label("becomes")), oneLine(r.Out, 300))
	}
	showOthers(b, p, r)
}

// showOthers prints the verdicts that did not decide. Policies whose
// condition was unknown are named in one line, because there can be many.
func showOthers(b *strings.Builder, p painter, r *policy.Record) {
	var unsure []string
	for i := range r.Verdicts {
		v := &r.Verdicts[i]
		how := "also"
		if v.Shadow {
			how = "shadow"
		}
		switch {
		case !v.Shadow && v.Policy == r.Verdict.Policy && (v.Reason == r.Verdict.Reason || v.Action == policy.Ask):
		case !v.Shadow && cannotTell(v):
			unsure = append(unsure, oneLine(v.Policy, 80))
		default:
			said(b, p.paint(dim, label(how)), actionName(v.Action)+" by "+reasonOf(p, v))
			showDetails(b, p, v)
		}
	}
	if unsure != nil {
		said(b, p.paint(dim, label("cannot tell")), strings.Join(unsure, ", "))
	}
}

// cannotTell reports whether a policy let a block pass because its condition
// was unknown.
func cannotTell(v *policy.Verdict) bool {
	return v.Action == policy.Annotate && v.Cause == policy.CauseUnknown
}

// reasonOf says which policy decided, and why.
func reasonOf(p painter, v *policy.Verdict) string {
	text := p.paint(bold, oneLine(v.Policy, 80))
	if v.Reason != "" {
		if text != "" {
			text += ": "
		}
		text += oneLine(v.Reason, 400)
	}
	if v.Cause != "" && v.Cause != policy.CauseNoAnswer { // which the reason says
		text += " [" + oneLine(string(v.Cause), 40) + "]"
	}
	return text
}

// showDetails prints what failed and the notes of a verdict.
func showDetails(b *strings.Builder, p painter, v *policy.Verdict) {
	if asked, ok := errors.AsType[*notAskedError](v.Err); ok {
		said(b, label(""), "would ask the model "+oneLine(asked.model, 80)+"; none is set up here, so on_error decided")
	} else if errors.Is(v.Err, policy.ErrNobodyToAsk) {
		said(b, label(""), "would ask a person; nobody can be asked here, so it blocks")
	} else if v.Err != nil {
		said(b, label(""), p.paint(red, "error")+" "+oneLine(v.Err.Error(), 300))
	}
	for _, note := range v.Notes {
		said(b, label(""), p.paint(dim, "note")+" "+oneLine(note, 300))
	}
}

func actionName(a policy.Action) string {
	if a == 0 {
		return "none"
	}
	return a.String()
}

func actionColour(a policy.Action) colour {
	switch {
	case a == policy.Allow:
		return green
	case a.Passes():
		return yellow
	}
	return red
}

// showDelivered prints what the client gets where it differs from what
// arrived.
func showDelivered(b *strings.Builder, p painter, t *streamTrial) {
	switch {
	case t.After == nil:
		fmt.Fprintln(b, p.paint(bold, "the client gets nothing"))
		return
	case t.Same:
		fmt.Fprintln(b, p.paint(bold, "the client gets the answer unchanged"))
		for _, c := range t.Before.Choices {
			showFinish(b, p, c.FinishReason, c.FinishReason)
		}
		return
	}
	fmt.Fprintln(b, p.paint(bold, "the client gets"))
	for _, c := range t.After.Choices {
		if len(t.After.Choices) > 1 {
			fmt.Fprintf(b, "  choice %d\n", c.Index)
		}
		for i, block := range c.Blocks {
			showBlock(b, p, i, block, 500)
		}
		showFinish(b, p, finishOf(t.Before, c.Index), c.FinishReason)
	}
	if failed := t.After.Failure; failed != nil {
		fmt.Fprintf(b, "  %s     %s\n", p.paint(red, "error"), toldText(failed))
	}
}

// finishOf is how a choice ended, nil if it did not.
func finishOf(r *recording.Report, choice int) *string {
	i := slices.IndexFunc(r.Choices, func(c recording.Choice) bool { return c.Index == choice })
	if i < 0 {
		return nil
	}
	return r.Choices[i].FinishReason
}

// showFinish prints how a choice ended and how it ends now.
func showFinish(b *strings.Builder, p painter, before, after *string) {
	word := func(s *string) string {
		if s == nil {
			return p.paint(yellow, "none")
		}
		return oneLine(*s, 80)
	}
	text := word(after)
	if word(before) != text {
		text = word(before) + " -> " + text
	}
	fmt.Fprintf(b, "  finish    %s\n", text)
}

func showOutcome(b *strings.Builder, p painter, t *streamTrial) {
	hue := green
	switch t.Outcome {
	case outcomeBlocked, outcomeAborted, outcomeFailed:
		hue = red
	case outcomeChanged:
		hue = yellow
	}
	parts := []string{fmt.Sprintf("%d blocked", t.Blocked), fmt.Sprintf("%d changed", t.Changed), count(len(t.Records), "block")}
	fmt.Fprintf(b, "%s: %s\n", p.paint(hue, t.Outcome), strings.Join(parts, ", "))
	if left := t.Before.Skipped; left != nil && left != t.Before.Failure { //nolint:errorlint // whether it is the same
		fmt.Fprintf(b, "%s %s\n", p.paint(yellow, "warning:"), oneLine(left.Error(), 400))
	}
	if !t.Before.Complete && t.Before.Failure != nil {
		fmt.Fprintf(b, "%s %s\n", p.paint(red, "the recording is incomplete:"), failureText(t.Before.Failure))
	} else if t.Error != "" && (t.After == nil || t.After.Failure == nil) {
		fmt.Fprintf(b, "%s %s\n", p.paint(red, "error:"), oneLine(t.Error, 400))
	}
}

// toldText is what a client is told about a failure.
func toldText(err error) string {
	if told, ok := errors.AsType[*stream.ProviderError](err); ok && told.Message != "" {
		return oneLine(told.Message, 400)
	}
	return failureText(err)
}

// failureText is why an answer is not complete, for people.
func failureText(err error) string {
	return oneLine(strings.TrimPrefix(err.Error(), "stream: "), 400)
}

// brief formats a short duration for people.
func brief(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%d µs", d.Microseconds())
	case d < time.Second:
		return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
	}
	return seconds(d)
}
