package openaichat_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/sluice-project/sluice/wire/sse"
)

// validate checks that bytes are a legal stream of the dialect as a strict
// client wants it. It is written with encoding/json and knows nothing of the
// package under test.
func validate(out []byte) error {
	type call struct {
		Index    *int   `json:"index"`
		ID       string `json:"id"`
		Type     string `json:"type"`
		Function *struct {
			Name      string  `json:"name"`
			Arguments *string `json:"arguments"`
		} `json:"function"`
		Custom *struct {
			Name  string  `json:"name"`
			Input *string `json:"input"`
		} `json:"custom"`
	}
	type payload struct {
		ID      string `json:"id"`
		Choices []struct {
			Index *int `json:"index"`
			Delta *struct {
				Role         string  `json:"role"`
				Content      *string `json:"content"`
				Refusal      *string `json:"refusal"`
				ToolCalls    []call  `json:"tool_calls"`
				FunctionCall *struct {
					Name      string  `json:"name"`
					Arguments *string `json:"arguments"`
				} `json:"function_call"`
			} `json:"delta"`
			FinishReason *string `json:"finish_reason"`
		} `json:"choices"`
		Error json.RawMessage `json:"error"`
	}
	type state struct {
		role, finished bool
		calls          int
		ids            map[string]bool
	}
	choices := map[int]*state{}
	id := ""
	done, failed := false, false
	r := sse.NewReader(bytes.NewReader(out), sse.Options{})
	for n := 0; ; n++ {
		ev, err := r.Next()
		if err != nil {
			break
		}
		if done {
			return errors.New("something after [DONE]")
		}
		if string(ev.Data) == "[DONE]" {
			done = true
			continue
		}
		if !json.Valid(ev.Data) {
			return fmt.Errorf("payload %d is not JSON: %s", n, ev.Data)
		}
		var p payload
		if err := json.Unmarshal(ev.Data, &p); err != nil {
			return fmt.Errorf("payload %d: %w: %s", n, err, ev.Data)
		}
		if len(p.Error) > 0 && string(p.Error) != "null" {
			failed = true
			continue
		}
		if p.ID != "" {
			if id != "" && id != p.ID {
				return fmt.Errorf("payload %d has another id", n)
			}
			id = p.ID
		}
		for _, c := range p.Choices {
			number := 0
			if c.Index != nil {
				number = *c.Index
			}
			s := choices[number]
			if s == nil {
				s = &state{ids: map[string]bool{}}
				choices[number] = s
			}
			d := c.Delta
			if d != nil {
				if !s.role && d.Role == "" {
					return fmt.Errorf("payload %d: the first delta of choice %d has no role", n, number)
				}
				s.role = true
				says := d.Content != nil && *d.Content != "" || d.Refusal != nil && *d.Refusal != "" || len(d.ToolCalls) > 0 || d.FunctionCall != nil
				if says && s.finished {
					return fmt.Errorf("payload %d: content after the finish of choice %d", n, number)
				}
				for _, t := range d.ToolCalls {
					if t.Index == nil {
						return fmt.Errorf("payload %d: a call without index", n)
					}
					switch {
					case *t.Index == s.calls:
						name := ""
						if t.Function != nil && t.Function.Arguments != nil {
							name = t.Function.Name
						}
						if t.Custom != nil && t.Custom.Input != nil {
							name = t.Custom.Name
						}
						if t.ID == "" || t.Type == "" || name == "" {
							return fmt.Errorf("payload %d: a call begins without id, type, name or arguments", n)
						}
						if s.ids[t.ID] {
							return fmt.Errorf("payload %d: id %s twice", n, t.ID)
						}
						s.ids[t.ID] = true
						s.calls++
					case *t.Index > s.calls:
						return fmt.Errorf("payload %d: index %d after %d calls", n, *t.Index, s.calls)
					case t.ID != "" || t.Function != nil && t.Function.Name != "":
						return fmt.Errorf("payload %d: a later delta repeats id or name", n)
					}
				}
			}
			if c.FinishReason != nil && *c.FinishReason != "" {
				if s.finished {
					return fmt.Errorf("payload %d: choice %d finishes twice", n, number)
				}
				s.finished = true
			}
		}
	}
	if failed {
		return nil
	}
	if !done {
		return errors.New("no [DONE]")
	}
	if len(choices) == 0 {
		return errors.New("no choice at all")
	}
	for n, s := range choices {
		if !s.finished {
			return fmt.Errorf("choice %d never finishes", n)
		}
	}
	return nil
}
