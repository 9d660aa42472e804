package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/agent/memory/sqlite"
	"github.com/sluice-project/sluice/agent/policies"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
)

const instructions = "You talk with a person in a terminal. Answer briefly and in plain text. " +
	"Look at files with the tools instead of guessing. When a call was denied, say so."

// askFor is how long a person has to answer a policy's question.
const askFor = time.Hour

// assembly is the agent and what has to be closed after it.
type assembly struct {
	client *agent.Client
	close  func() error
	// enforced says which policies are in force.
	enforced string
}

// assemble creates the agent. Record gets the verdict on each block, and confirm
// asks the person at the terminal.
func assemble(ctx context.Context, o *options, record func(*policy.Record), confirm confirm) (*assembly, error) {
	root, err := os.OpenRoot(o.dir)
	if err != nil {
		return nil, fmt.Errorf("-dir: %w", err)
	}
	a := &assembly{close: root.Close}
	if a.client, err = a.build(ctx, o, root, record, confirm); err != nil {
		return nil, errors.Join(err, a.close())
	}
	return a, nil
}

func (a *assembly) build(ctx context.Context, o *options, root *os.Root, record func(*policy.Record), confirm confirm) (*agent.Client, error) {
	guard, err := a.guard(o, record) //nolint:contextcheck // policies are loaded at once
	if err != nil {
		return nil, err
	}
	conversations, err := a.memory(ctx, o.db)
	if err != nil {
		return nil, err
	}
	tools := []*agent.Tool{listFiles(root), readFile(root), now()}
	if o.shell {
		tools = append(tools, shell(root.Name()))
	}
	return agent.New(agent.Config{
		Model: o.model, System: instructions, Tools: tools,
		Memory: conversations, Advisors: []agent.Advisor{guard},
		Loop: agent.LoopConfig{Stream: o.mode, Around: confirmed(confirm)},
	})
}

// memory opens what remembers conversations.
func (a *assembly) memory(ctx context.Context, path string) (*memory.Memory, error) {
	if path == "" {
		return memory.New(memory.NewInMemory(), memory.Options{})
	}
	repo, err := sqlite.Open(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("-db: %w", err)
	}
	others := a.close
	a.close = func() error { return errors.Join(repo.Close(), others()) }
	return memory.New(repo, memory.Options{})
}

// guard enforces the policies: the same files that the gateway takes.
func (a *assembly) guard(o *options, record func(*policy.Record)) (*policies.Guard, error) {
	loaded, err := file.Load(file.Options{Feedback: true, Approver: true}, o.policies...)
	if err != nil {
		return nil, fmt.Errorf("-policies: %w", err)
	}
	a.enforced = fmt.Sprintf("%d policies", loaded.Set.Len())
	session := policy.Session{ID: o.conversation, Client: "chat"}
	if session.Cwd, err = filepath.Abs(o.dir); err != nil {
		return nil, err
	}
	session.Home, _ = os.UserHomeDir() // policies do without
	return policies.New(policies.Config{Set: loaded.Set, Record: record, Session: session, AskFor: askFor})
}
