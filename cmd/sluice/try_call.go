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
	catalogue "github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/file"
	"github.com/sluice-project/sluice/policy/shell"
)

// blocksTrial is how policies judged single blocks: one, or a command in
// every client's form. Its JSON form is what try --json prints.
type blocksTrial struct {
	Set        *trial      `json:"policies"`
	Outcome    string      `json:"outcome"`
	Understood *understood `json:"understood,omitempty"`
	Blocks     []triedOne  `json:"blocks"`

	title, body string
}

// triedOne is one block and what became of it.
type triedOne struct {
	Kind      llm.Kind      `json:"kind"`
	Type      string        `json:"type"`
	Name      string        `json:"name"`
	Text      string        `json:"text,omitempty"`
	Arguments string        `json:"arguments,omitempty"`
	Record    policy.Record `json:"record"`
	// Why explains the conditions part by part.
	Why []file.Why `json:"why,omitempty"`
	// Out is the text or the arguments as delivered, empty if blocked.
	Out string `json:"out,omitempty"`
}

// ran is a command of a call, with what it would do.
type ran struct {
	Text    string   `json:"text"`
	Depth   int      `json:"depth"`
	Effects []string `json:"effects"`
}

// understood is what a rule understands of a call.
type understood struct {
	Name   string `json:"name"`
	Kind   string `json:"kind"`
	Server string `json:"server,omitempty"`
	// ServerUnknown: call.server is unknown, and Server what the name suggests.
	ServerUnknown bool `json:"server_unknown,omitempty"`

	Commands []ran `json:"commands"`
	// Undescribed are the programs of which nothing is known but their names.
	Undescribed []string `json:"not_described"`
	// Effects are what it would do that no command of it does.
	Effects []string `json:"effects"`
	Reads   []string `json:"reads"`
	Writes  []string `json:"writes"`
	URLs    []string `json:"urls"`
	// Unknown are the reasons why something may be missing, Missing the lists
	// that may be incomplete.
	Unknown []string `json:"unknown"`
	Missing []string `json:"may_miss"`
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
func (f *tryFlags) blocks() []llm.Block {
	switch f.one {
	case oneShell:
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
	if f.one == onePrompt {
		return []llm.Block{{Kind: policy.Prompt, Type: "prompt", Text: f.userText, Status: llm.Complete}}
	}
	return []llm.Block{{Kind: llm.Content, Type: "content", Text: f.text, Status: llm.Complete}}
}

// judge lets the policies judge each block by itself.
func (f *tryFlags) judge(ctx context.Context, set *trial) (*blocksTrial, error) {
	x := f.exchange()
	blocks := f.blocks()
	t := &blocksTrial{Set: set, Outcome: outcomePassed, title: cmp.Or(blocks[0].Name, blocks[0].Kind.String())}
	t.body = cmp.Or(blocks[0].Arguments, blocks[0].Text)
	if f.one == oneShell {
		t.title, t.body = fmt.Sprintf("a command in the form of %d tools", len(blocks)), f.shell
	}
	if blocks[0].Kind == llm.ToolCall {
		var read call.Call
		read.Fill(&blocks[0], call.Setting{Place: call.Place{Cwd: f.cwd, Home: f.home}, Programs: set.loaded.Programs, Client: f.client}, false)
		t.Understood = understand(&read, set.loaded.Programs)
	}
	for _, b := range blocks {
		record := set.set.Decide(ctx, x, b, policy.Options{})
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		one := triedOne{Kind: b.Kind, Type: b.Type, Name: b.Name, Text: b.Text, Arguments: b.Arguments, Record: record, Out: record.Out}
		// Shapes of one command that come out the same do so for the same reasons, and
		// to explain one takes some time.
		if i := slices.IndexFunc(t.Blocks, one.like); i >= 0 {
			one.Why = t.Blocks[i].Why
		} else {
			one.Why = f.why(set, nil, b)
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

// undescribed reports whether nothing is known of what a command does: no program of that
// name is described, it is not a file of which that is said, and runs no other command.
func undescribed(c *call.Call, i int, programs *catalogue.Catalogue) bool {
	of := &c.Commands[i]
	ownEffect := slices.ContainsFunc(c.Effects, func(e effect.Effect) bool { return e.Command == i && e.Verb == effect.Run })
	runsOthers := i+1 < len(c.Commands) && c.Commands[i+1].Depth > of.Depth
	return of.Name != "" && !effect.Expands(of.Name) && !ownEffect && !runsOthers && !shell.Understands(of.Name, programs)
}

func understand(c *call.Call, programs *catalogue.Catalogue) *understood {
	u := &understood{
		Name: cmp.Or(c.Name, c.RawName), Kind: string(c.Kind), Server: c.Server, ServerUnknown: c.ServerUnknown, Commands: []ran{}, Undescribed: []string{}, Effects: []string{},
		Reads: listed(c.Reads), Writes: listed(c.Writes), URLs: listed(c.URLs), Unknown: listed(c.Unknown), Missing: []string{},
	}
	for i := range c.Commands {
		of := &c.Commands[i]
		words := strings.Join(append([]string{of.Name}, of.Args...), " ")
		var wordsSb150 strings.Builder
		for _, from := range of.Reads {
			wordsSb150.WriteString(" < " + from)
		}
		words += wordsSb150.String()
		var wordsSb153 strings.Builder
		for _, to := range of.Writes { // otherwise the effects would seem to be those of the program
			wordsSb153.WriteString(" > " + to)
		}
		words += wordsSb153.String()
		if of.Sudo {
			words += " (as another user)"
		}
		if of.Remote {
			words += " (on another machine)"
		}
		if undescribed(c, i, programs) && !slices.Contains(u.Undescribed, of.Name) {
			u.Undescribed = append(u.Undescribed, of.Name)
		}
		u.Commands = append(u.Commands, ran{Text: words, Depth: of.Depth, Effects: []string{}})
	}
	for i := range c.Effects {
		e := &c.Effects[i]
		if e.Command >= 0 && e.Command < len(u.Commands) {
			u.Commands[e.Command].Effects = append(u.Commands[e.Command].Effects, e.String())
		} else {
			u.Effects = append(u.Effects, e.String())
		}
	}
	for _, list := range []struct {
		name    string
		missing bool
	}{
		{"commands", c.Incomplete.Commands}, {"effects", c.Incomplete.Commands || len(c.Strange) > 0},
		{"reads", c.Incomplete.Reads},
		{"writes", c.Incomplete.Writes},
		{"urls", c.Incomplete.URLs},
	} {
		if list.missing {
			u.Missing = append(u.Missing, list.name)
		}
	}
	return u
}

// listed is the list, never null in JSON.
func listed(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
