package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sluice-project/sluice/agent"
)

// Tools lists the tools of several servers, sorted by name. It queries each server
// again, one after the other. The tools can be used until their session is closed;
// after that a call is a failed result.
func Tools(ctx context.Context, sessions ...*Session) ([]*agent.Tool, error) {
	names := naming{taken: make(map[string]bool)}
	servers := make(map[string]bool)
	var all []*agent.Tool
	for _, s := range sessions {
		if s == nil {
			return nil, errors.New("mcp: a session is nil")
		}
		if servers[s.server.Name] {
			return nil, fmt.Errorf("mcp: two servers are named %s", s.server.Name)
		}
		servers[s.server.Name] = true
		listed, err := s.list(ctx)
		if err != nil {
			return nil, err
		}
		for _, l := range listed {
			t, err := s.tool(names.name(&s.server, l.Name), l)
			if err != nil {
				return nil, err
			}
			all = append(all, t)
		}
	}
	slices.SortFunc(all, func(a, b *agent.Tool) int { return cmp.Compare(a.Name, b.Name) })
	return all, nil
}

// Tools lists the tools of the server, sorted by name. It queries the server again,
// unless the server itself said how long its list is valid.
func (s *Session) Tools(ctx context.Context) ([]*agent.Tool, error) { return Tools(ctx, s) }

// list requests all pages of the list.
func (s *Session) list(ctx context.Context) ([]*sdk.Tool, error) {
	var (
		all     []*sdk.Tool
		seen    = make(map[string]bool)
		cursors = make(map[string]bool)
		cursor  string
	)
	for range mostPages {
		var page *sdk.ListToolsResult
		err := s.do(ctx, func(ctx context.Context) (err error) {
			page, err = s.session.ListTools(ctx, &sdk.ListToolsParams{Cursor: cursor})
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("mcp: server %s does not list its tools: %w", s.server.Name, &saying{err, s.explain(err)})
		}
		for _, t := range page.Tools {
			// A call could not say which of two tools with the same name it means.
			if t == nil || seen[t.Name] || s.server.Only != nil && !s.server.Only(t.Name) {
				continue
			}
			if len(all) == mostTools {
				return nil, fmt.Errorf("mcp: server %s has more than %d tools: choose some with Only", s.server.Name, mostTools)
			}
			seen[t.Name] = true
			all = append(all, t)
		}
		cursor = page.NextCursor
		if cursor == "" {
			// Names that are made unique must not depend on the server's order.
			slices.SortStableFunc(all, func(a, b *sdk.Tool) int { return cmp.Compare(a.Name, b.Name) })
			return all, nil
		}
		if cursors[cursor] {
			return nil, fmt.Errorf("mcp: server %s repeats the same page of its list of tools", s.server.Name)
		}
		cursors[cursor] = true
	}
	return nil, fmt.Errorf("mcp: server %s lists its tools on more than %d pages", s.server.Name, mostPages)
}

// saying is an error with a better text.
type saying struct {
	error
	text string
}

func (s *saying) Error() string { return s.text }
func (s *saying) Unwrap() error { return s.error }

// tool makes a tool from a server's listing.
func (s *Session) tool(name string, listed *sdk.Tool) (*agent.Tool, error) {
	schema, err := schemaOf(listed.InputSchema)
	if err != nil {
		return nil, fmt.Errorf("mcp: server %s: tool %s: %w: leave it out with Only", s.server.Name, name, err)
	}
	its := listed.Name
	t := &agent.Tool{
		Name:        name,
		Description: shortened(cleaned(listed.Description), largestDescription),
		Schema:      schema,
		Timeout:     s.server.Timeout,
		Run: func(ctx context.Context, call agent.Call) (agent.Output, error) {
			return s.call(ctx, its, call.Arguments)
		},
	}
	switch {
	case t.Timeout == 0:
		t.Timeout = DefaultTimeout
	case t.Timeout < 0:
		t.Timeout = 0
	}
	if checked, err := agent.Checked(t); err == nil {
		t = checked
	}
	return t, nil
}

// schemaOf is the schema of a tool, always the same bytes for the same schema, with
// the members that providers require.
func schemaOf(listed any) (json.RawMessage, error) {
	words, ok := listed.(map[string]any)
	if !ok {
		words = make(map[string]any)
	}
	if words["type"] == nil {
		words["type"] = "object"
	}
	if words["properties"] == nil {
		words["properties"] = make(map[string]any)
	}
	raw, err := json.Marshal(words)
	switch {
	case err != nil:
		return nil, fmt.Errorf("its schema cannot be written as JSON: %w", err)
	case len(raw) > largestSchema:
		return nil, fmt.Errorf("its schema has %d bytes, and at most %d are allowed", len(raw), largestSchema)
	default:
		return raw, nil
	}
}
