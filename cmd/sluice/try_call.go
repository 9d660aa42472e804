package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/file"
	"github.com/sluice-project/sluice/policy/flow"
)

// blocksTrial is how policies judged single blocks: one, or a command in
// every client's form. Its JSON form is what try --json prints.
type blocksTrial struct {
	Set        *trial      `json:"policies"`
	Outcome    string      `json:"outcome"`
	Understood *understood `json:"understood,omitempty"`
	Blocks     []triedOne  `json:"blocks"`

	title, body string
	asksWhy     func(policy string) bool
}

// triedOne is one block and what became of it.
type triedOne struct {
	Kind llm.Kind `json:"kind"`
	Type string   `json:"type"`
	Name string   `json:"name"`
	// Also are the names of other tools in whose forms the same comes out.
	Also      []string      `json:"also,omitempty"`
	Text      string        `json:"text,omitempty"`
	Arguments string        `json:"arguments,omitempty"`
	Record    policy.Record `json:"record"`
	// Why explains the conditions part by part.
	Why []file.Why `json:"why"`
	// Out is the text or the arguments as delivered, empty if blocked.
	Out string `json:"out,omitempty"`
}

func tryBlocks(cmd *cobra.Command, f *tryFlags) error {
	paint, err := newPainter(f.colour, cmd.OutOrStdout())
	if err != nil {
		return err
	}
	set, err := f.load(cmd)
	if err != nil {
		return err
	}
	t, err := f.judge(cmd.Context(), set)
	if err != nil {
		cmd.PrintErrln("sluice:", oneLine(err.Error(), 600))
		return exitError(exitIncomplete)
	}
	if f.asJSON {
		err = showJSON(cmd.OutOrStdout(), t)
	} else {
		err = showBlocksTrial(cmd.OutOrStdout(), paint, t)
	}
	if err != nil {
		return fmt.Errorf("print the report: %w", err)
	}
	if t.Outcome == outcomeBlocked {
		return exitError(exitBlocked)
	}
	return nil
}

// blocks are what the flags name.
func (f *tryFlags) blocks(set *trial) []llm.Block {
	switch f.one {
	case oneShell:
		if set.loaded.AsksWhose() {
			return call.ClientShapes(f.shell)
		}
		return call.Shapes(f.shell)
	case oneTool:
		b := llm.Block{Kind: llm.ToolCall, Type: "tool_use", ID: "call_1", Name: f.tool, Arguments: f.arguments, Status: llm.Complete}
		if text := strings.TrimSpace(f.arguments); text != "" && text[0] != '{' && text[0] != '[' {
			b.Type = "custom_tool_call" // a tool that takes text
		}
		return []llm.Block{b}
	case oneResult:
		return []llm.Block{{Kind: llm.ToolResult, Type: "tool_result", Name: f.tool, ToolUseID: "call_1", Text: f.result, Status: llm.Complete}}
	}
	for _, of := range []struct {
		one, text string
		kind      llm.Kind
	}{{onePrompt, f.userText, policy.Prompt}, {oneThinking, f.thinking, llm.Thinking}, {oneRefusal, f.refusal, llm.Refusal}} {
		if f.one == of.one {
			return []llm.Block{{Kind: of.kind, Type: of.kind.String(), Text: of.text, Status: llm.Complete}}
		}
	}
	return []llm.Block{{Kind: llm.Content, Type: "content", Text: f.text, Status: llm.Complete}}
}

// judge lets the policies judge each block by itself.
func (f *tryFlags) judge(ctx context.Context, set *trial) (*blocksTrial, error) {
	x := f.exchange()
	blocks := f.blocks(set)
	t := &blocksTrial{Set: set, Outcome: outcomePassed, asksWhy: f.asksWhy, title: cmp.Or(blocks[0].Name, blocks[0].Kind.String())}
	t.body = cmp.Or(blocks[0].Arguments, blocks[0].Text)
	if f.one == oneShell {
		t.title, t.body = fmt.Sprintf("a command in the form of %d tools", len(blocks)), f.shell
	}
	if blocks[0].Kind == llm.ToolCall {
		var read call.Call
		s := policy.NewSubject(x, blocks[0])
		in := call.Setting{Place: call.Place{Cwd: f.cwd, Home: f.home}, Files: flow.Of(s), Programs: set.loaded.Programs, Client: f.client}
		read.Fill(&blocks[0], in, s.Readable())
		t.Understood = understand(&read, call.Place{Cwd: f.cwd, Home: f.home}, set.loaded.Programs)
	}
	for _, b := range blocks {
		record := set.set.Decide(ctx, x, b, policy.Options{})
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		one := triedOne{Kind: b.Kind, Type: b.Type, Name: b.Name, Text: b.Text, Arguments: b.Arguments, Record: record, Out: record.Out}
		// Shapes of one command that come out the same do so for the same reasons, and
		// to explain one takes some time.
		i := slices.IndexFunc(t.Blocks, one.like)
		switch {
		case i >= 0 && (!record.Delivered || record.In == record.Out):
			t.Blocks[i].Also = append(t.Blocks[i].Also, cmp.Or(b.Name, b.Type))
			continue
		case i >= 0:
			one.Why = t.Blocks[i].Why
		default:
			one.Why = listed(f.why(set, nil, b))
		}
		t.Blocks = append(t.Blocks, one)
		switch {
		case !record.Delivered:
			t.Outcome = outcomeBlocked
		case record.In != record.Out && t.Outcome == outcomePassed:
			t.Outcome = outcomeChanged
		}
	}
	return t, nil
}
