package evasion_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/sluice-project/sluice/evasion"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy/call"
)

// formVariants are the call of a case in JSON that says the same, and beside another
// call of the same answer.
func formVariants(c *evasion.Case) []variant {
	form := c.Forms()[0]
	if c.Calls[0].Shell != "" {
		form = c.Forms()[1] // which has two members
	}
	if len(form) != 1 || form[0].Freeform() || !json.Valid([]byte(form[0].Arguments)) {
		return nil
	}
	var all []variant
	add := func(name, arguments string, neutral bool) {
		if b := form[0]; arguments != "" && arguments != b.Arguments {
			b.Arguments = arguments
			all = append(all, variant{name: name, text: arguments, neutral: neutral, form: []llm.Block{b}})
		}
	}
	arguments := []byte(form[0].Arguments)
	add("letters in escapes", escaped(form[0].Arguments), true)
	add("members in another order", string(reversed(arguments)), true)
	add("blanks in JSON", spaced(arguments), true)
	for _, beside := range []struct{ name, command string }{{"a call before", "echo begin"}, {"another call before", "ls -l"}} {
		other := call.Shapes(beside.command)[1]
		other.ID = "call_other"
		all = append(all, variant{name: beside.name, text: form[0].Arguments, neutral: true, form: []llm.Block{other, form[0]}})
	}
	return all
}

// reversed is a JSON document with the members of its objects in the opposite order, nil
// if it has a name twice in one of them.
func reversed(document []byte) []byte {
	d := json.NewDecoder(bytes.NewReader(document))
	d.UseNumber()
	first, err := d.Token()
	if err != nil {
		return nil
	}
	open, ok := first.(json.Delim)
	if !ok {
		return document
	}
	var parts [][]byte
	var names []string
	for d.More() {
		var name []byte
		if open == '{' {
			key, err := d.Token()
			if err != nil || slices.Contains(names, key.(string)) {
				return nil
			}
			names = append(names, key.(string))
			name, _ = json.Marshal(key)
			name = append(name, ':')
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return nil
		}
		inner := reversed(value)
		if inner == nil {
			return nil
		}
		parts = append(parts, append(name, inner...))
	}
	if open == '{' {
		slices.Reverse(parts)
		return slices.Concat([]byte("{"), bytes.Join(parts, []byte(",")), []byte("}"))
	}
	return slices.Concat([]byte("["), bytes.Join(parts, []byte(",")), []byte("]"))
}

// spaced is a JSON document over several lines.
func spaced(document []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, document, "", "\t") != nil {
		return ""
	}
	return b.String()
}

// documents changes the JSON in quotes of a command.
func documents(text string, cmd *syntax.CallExpr, add func(name, changed string, neutral bool)) {
	for _, w := range cmd.Args {
		if len(w.Parts) != 1 {
			continue
		}
		quoted, ok := w.Parts[0].(*syntax.SglQuoted)
		if !ok || quoted.Dollar || !strings.HasPrefix(quoted.Value, "{") || !json.Valid([]byte(quoted.Value)) {
			continue
		}
		from, to := w.Pos().Offset(), w.End().Offset()
		put := func(name, document string) {
			if document != "" && !strings.Contains(document, "'") {
				add(name, text[:from]+"'"+document+"'"+text[to:], true)
			}
		}
		put("members in another order", string(reversed([]byte(quoted.Value))))
		put("blanks in JSON", spaced([]byte(quoted.Value)))
		put("letters in escapes", escaped(quoted.Value))
	}
}
