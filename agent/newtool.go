package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"
)

// NewTool returns a tool that is a Go function.
//
// In is what the function is called with: a struct, or a map with string keys. A
// tool without arguments takes a struct{}. The model gets a JSON schema generated
// from In: the properties are the exported fields with their JSON names, a tag
// `jsonschema:"..."` describes one, and those that are not marked omitempty or
// omitzero are required. Before f is called, the arguments are validated against it:
// the model is told what is missing, of the wrong type or unknown, and f is not
// called. Numbers in an any or a json.Number keep all their digits.
//
// Out is what the model gets: a string, a []byte that is text, a json.RawMessage and
// an Output as they are, nil and a struct{} as "done", and everything else as JSON;
// nil lists and maps are empty. An error of f, and an Out that is an error, is the
// error of the call.
//
// If there is something wrong with In or with f, New reports it, and so do runs
// that are given the tool. Set the other fields of the tool before it is used:
//
//	t := agent.NewTool("weather", "The weather in a city.", weather)
//	t.Timeout = 10 * time.Second
func NewTool[In, Out any](name, description string, f func(ctx context.Context, in In) (Out, error)) *Tool {
	t := &Tool{Name: name, Description: description}
	if f == nil {
		t.err = errors.New("its function is nil")
		return t
	}
	var schema *argumentSchema
	t.Schema, schema, t.err = schemaOf(reflect.TypeFor[In]())
	if t.err != nil {
		return t
	}
	t.Run = func(ctx context.Context, call Call) (Output, error) {
		if err := schema.check(call.Arguments); err != nil {
			return Output{}, notAsDeclared(call, err)
		}
		var in In
		if err := decodeArguments(call.Arguments, &in); err != nil {
			return Output{}, notAsDeclared(call, err)
		}
		out, err := f(ctx, in)
		if err != nil {
			return Output{}, err
		}
		return outputOf(out)
	}
	return t
}

// Checked returns a copy of a tool that validates the arguments of its calls against
// its Schema before Run is called, as the tools of NewTool do. The error says why
// the schema cannot be used for that: it is not a schema, it is too large or too
// deep, it refers to other documents, or it is cyclic.
func Checked(t *Tool) (*Tool, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	if t.Schema == nil {
		return t, nil
	}
	schema, err := compileSchema(t.Schema)
	if err != nil {
		return nil, fmt.Errorf("agent: tool %q: %w", t.Name, err)
	}
	checked := *t
	checked.Run = func(ctx context.Context, call Call) (Output, error) {
		if err := schema.check(call.Arguments); err != nil {
			return Output{}, notAsDeclared(call, err)
		}
		return t.Run(ctx, call)
	}
	return &checked, nil
}

// notAsDeclared is what a model is told about a call that was not run.
func notAsDeclared(call Call, err error) error {
	return Decline(Invalid, fmt.Sprintf("not run: %s. Call %s again with arguments that fit its schema",
		strings.TrimSuffix(beginning(strings.TrimPrefix(err.Error(), "llm: ")), "."), call.Name))
}

// decodeArguments decodes arguments that were validated.
func decodeArguments(raw json.RawMessage, in any) error {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	err := dec.Decode(in)
	if mismatch, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		where := mismatch.Field
		if where == "" {
			where = "the arguments"
		}
		return fmt.Errorf("%s: want a %s, got %s", where, mismatch.Type, mismatch.Value)
	}
	return err
}

// done is the result of a function that returns nothing.
const done = "done"

// outputOf is what a model gets for a function's return value.
func outputOf(out any) (Output, error) {
	switch v := out.(type) {
	case nil, struct{}:
		return Output{Text: done}, nil
	case string:
		return Output{Text: v}, nil
	case Output:
		return v, nil
	case json.RawMessage:
		if len(v) == 0 {
			return Output{Text: done}, nil
		}
		return Output{Text: string(v)}, nil
	case []byte:
		if !utf8.Valid(v) {
			return Output{Text: fmt.Sprintf("failed: the result is %d bytes that are not text", len(v)), Failed: true}, nil
		}
		return Output{Text: string(v)}, nil
	case error:
		return Output{}, v
	}
	switch v := reflect.ValueOf(out); v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return Output{Text: done}, nil
		}
	case reflect.Slice:
		if v.IsNil() {
			return Output{Text: "[]"}, nil
		}
	case reflect.Map:
		if v.IsNil() {
			return Output{Text: "{}"}, nil
		}
	default:
	}
	var text strings.Builder
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(out); err != nil {
		return Output{Text: "failed: the result has no form in JSON: " + beginning(err.Error()), Failed: true}, nil
	}
	return Output{Text: strings.TrimSuffix(text.String(), "\n")}, nil
}
