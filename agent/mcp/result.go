package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sluice-project/sluice/agent"
)

// call calls a tool of the server by the server's name for it. Errors become a
// failed result; only the end of ctx is an error.
func (s *Session) call(ctx context.Context, tool string, arguments json.RawMessage) (agent.Output, error) {
	if len(bytes.TrimSpace(arguments)) == 0 {
		arguments = json.RawMessage("{}")
	}
	var result *sdk.CallToolResult
	err := s.do(ctx, func(ctx context.Context) (err error) {
		result, err = s.session.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: arguments})
		return err
	})
	switch {
	case ctx.Err() != nil:
		return agent.Output{}, ctx.Err()
	case err != nil:
		return agent.Output{Text: fmt.Sprintf("failed: server %s: %s", s.server.Name, s.explain(err)), Failed: true}, nil
	}
	text := textOf(result)
	if text == "" && result.IsError {
		text = "failed: the tool did not say why"
	}
	return agent.Output{Text: text, Failed: result.IsError}, nil
}

// textOf is the text of a result for a model.
func textOf(result *sdk.CallToolResult) string {
	var (
		parts   []string
		hasText bool
	)
	for _, content := range result.Content {
		switch c := content.(type) {
		case *sdk.TextContent:
			parts = append(parts, c.Text)
			hasText = hasText || c.Text != ""
		case *sdk.ImageContent:
			parts = append(parts, described("image", c.MIMEType, len(c.Data), ""))
		case *sdk.AudioContent:
			parts = append(parts, described("audio", c.MIMEType, len(c.Data), ""))
		case *sdk.ResourceLink:
			size := 0
			if c.Size != nil && *c.Size > 0 {
				size = int(*c.Size)
			}
			parts = append(parts, described("link", c.MIMEType, size, c.URI))
		case *sdk.EmbeddedResource:
			if c.Resource == nil {
				continue
			}
			parts = append(parts, described("resource", c.Resource.MIMEType, len(c.Resource.Text)+len(c.Resource.Blob), c.Resource.URI))
			if c.Resource.Text != "" {
				parts = append(parts, c.Resource.Text)
				hasText = true
			}
		default:
			parts = append(parts, "[something of an unknown kind]")
		}
	}
	if !hasText && result.StructuredContent != nil {
		var text strings.Builder
		enc := json.NewEncoder(&text)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(result.StructuredContent); err == nil {
			parts = append(parts, strings.TrimSuffix(text.String(), "\n"))
		}
	}
	if len(parts) == 0 && !result.IsError {
		return "done"
	}
	return strings.ToValidUTF8(strings.Join(parts, "\n"), "\uFFFD")
}

// described is a line about content that is not text.
func described(kind, mimeType string, size int, uri string) string {
	line := "[" + kind
	if uri != "" {
		line += " " + shortened(oneLine(uri), 500)
	}
	if mimeType != "" {
		line += " " + shortened(oneLine(mimeType), 100)
	}
	if size > 0 {
		line += fmt.Sprintf(", %d bytes", size)
	}
	return line + "]"
}

func oneLine(s string) string { return strings.Join(strings.Fields(cleaned(s)), " ") }
