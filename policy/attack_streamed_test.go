package policy_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/sluicetest"
)

// streamedPart is a functionCall of Gemini as clients see it.
type streamedPart struct {
	Name         *string         `json:"name"`
	Args         json.RawMessage `json:"args"`
	WillContinue *bool           `json:"willContinue"`
	WillSnake    *bool           `json:"will_continue"`
	PartialArgs  []struct {
		Path  string `json:"jsonPath"`
		Value string `json:"stringValue"`
	} `json:"partialArgs"`
}

func isTrue(b *bool) bool { return b != nil && *b }

// streamedParts are the calls and pieces of calls that left.
func streamedParts(t *testing.T, sent []byte) (parts []streamedPart) {
	t.Helper()
	for line := range strings.Lines(string(sent)) {
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok {
			continue
		}
		var payload struct {
			Candidates []struct {
				Content struct {
					Parts []struct {
						FunctionCall *streamedPart `json:"functionCall"`
					} `json:"parts"`
				} `json:"content"`
			} `json:"candidates"`
		}
		if err := json.Unmarshal([]byte(data), &payload); err != nil {
			t.Fatal(err)
		}
		for _, c := range payload.Candidates {
			for _, p := range c.Content.Parts {
				if p.FunctionCall != nil {
					parts = append(parts, *p.FunctionCall)
				}
			}
		}
	}
	return parts
}

// gathered is a call that a client puts together. Its paths are short, so that a map is
// enough: what it says is only compared with what was judged.
type gathered struct {
	name string
	keys []string
	args map[string]string
}

func (g *gathered) add(keys []string, value string, appends bool) {
	key := strings.Join(keys, "\x00")
	if g.args == nil {
		g.args = map[string]string{}
	}
	if _, has := g.args[key]; !has {
		g.keys = append(g.keys, key)
	} else if appends {
		value = g.args[key] + value
	}
	g.args[key] = value
}

func (g *gathered) says() string {
	root := map[string]any{}
	for _, key := range g.keys {
		at, steps := root, strings.Split(key, "\x00")
		for _, step := range steps[:len(steps)-1] {
			next, ok := at[step].(map[string]any)
			if !ok {
				next = map[string]any{}
				at[step] = next
			}
			at = next
		}
		at[steps[len(steps)-1]] = g.args[key]
	}
	out, _ := json.Marshal(root)
	return g.name + " " + string(out)
}

// canonical is a call as "name arguments" with its members in order.
func canonical(call string) string {
	name, args, _ := strings.Cut(call, " ")
	root := map[string]any{}
	_ = json.Unmarshal([]byte(args), &root) // none are no members
	sorted, _ := json.Marshal(root)
	return name + " " + string(sorted)
}

var (
	pathToken  = regexp.MustCompile(`\[\s*(\d+)\s*\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]|\.?((?:[^.\[\]\\]|\\.)+)`)
	pathEscape = regexp.MustCompile(`\\u([0-9a-fA-F]{4})|\\(.)`)
)

// continuing reads as a client to which a name within a call changes nothing: it ends with
// the piece that does not continue. It knows both spellings, and escapes in paths.
func continuing(parts []streamedPart) (calls []string) {
	var open *gathered
	texts := map[string]string{}
	for _, p := range parts {
		goesOn := isTrue(p.WillContinue) || isTrue(p.WillSnake)
		if len(p.PartialArgs) == 0 && !goesOn && (open == nil || len(p.Args) > 2) {
			if open != nil {
				calls, open = append(calls, open.says()), nil
			}
			if p.Name != nil {
				calls = append(calls, *p.Name+" "+string(p.Args))
			}
			continue
		}
		if open == nil {
			open = &gathered{}
			clear(texts)
		}
		if p.Name != nil && *p.Name != "" {
			open.name = *p.Name
		}
		for _, piece := range p.PartialArgs {
			var keys []string
			for _, m := range pathToken.FindAllStringSubmatch(strings.TrimPrefix(strings.TrimPrefix(piece.Path, "$"), "."), -1) {
				key := m[1] + m[2] + m[3] + m[4]
				keys = append(keys, pathEscape.ReplaceAllStringFunc(key, func(e string) string {
					var r rune
					if _, err := fmt.Sscanf(e, `\u%04x`, &r); err == nil {
						return string(r)
					}
					return e[1:]
				}))
			}
			// Pieces go together by their path as it is written; of two spellings of one
			// place the later counts.
			texts[piece.Path] += piece.Value
			open.add(keys, texts[piece.Path], false)
		}
		if !goesOn {
			calls, open = append(calls, open.says()), nil
		}
	}
	return calls
}

// stacking reads as a client to which every name begins a call, above the one that is open.
// It knows one spelling, and of a path's steps only dotted names and indices.
func stacking(parts []streamedPart) (calls []string) {
	var open []*gathered
	finish := func() {
		calls = append(calls, open[len(open)-1].says())
		open = open[:len(open)-1]
	}
	for _, p := range parts {
		switch {
		case p.PartialArgs != nil || p.Name != nil && isTrue(p.WillContinue):
			if p.Name != nil {
				open = append(open, &gathered{name: *p.Name})
			}
			if len(open) == 0 {
				continue
			}
			for _, piece := range p.PartialArgs {
				var keys []string
				for step := range strings.SplitSeq(strings.TrimPrefix(piece.Path, "$."), ".") {
					name, _, _ := strings.Cut(step, "[")
					keys = append(keys, name)
				}
				open[len(open)-1].add(keys, piece.Value, true)
			}
			if p.PartialArgs != nil && !isTrue(p.WillContinue) {
				finish()
			}
		case p.Name == nil && p.Args == nil && p.WillContinue == nil && len(open) > 0:
			finish()
		case p.Name != nil:
			calls = append(calls, *p.Name+" "+string(p.Args))
		}
	}
	return calls
}

// Clients put the pieces of a call together in different ways where its end, the name of
// its parts or its paths leave room for it. Whatever they read was judged.
func TestAttackPiecesOfAGeminiCallMakeTheJudgedCallOnly(t *testing.T) {
	t.Parallel()
	payload := func(part, finish string) string {
		return `{"candidates":[{"content":{"parts":[` + part + `],"role":"model"}` + finish + `,"index":0}]}`
	}
	piece := func(members, path, value, goesOn string) string {
		p, _ := json.Marshal(path)
		return `{"functionCall":{` + members + `"partialArgs":[{"jsonPath":` + string(p) + `,"stringValue":"` + value + `"}]` + goesOn + `}}`
	}
	begins := []string{`"name":"good",`, `"id":"a","name":"good",`}
	names := []string{``, `"name":"good",`, `"id":"b","name":"good",`, `"name":"other",`, `"name":"",`, `"name":null,`, `"id":"a",`}
	paths := []string{"$.s", "$.s['a']", "$.s['b']", "$['s']", `$.\u0073`, "$.s]", "$.s.a", "$.t"}
	goesOns := []string{`,"willContinue":true`, `,"will_continue":true`}
	ends := [][]string{{`{"functionCall":{}}`}, {`{"functionCall":{}}`, `{"functionCall":{}}`}, {`{"functionCall":{"willContinue":false}}`}, {`{"functionCall":{"name":"good"}}`, `{"functionCall":{}}`}, {`{"functionCall":{"name":"other","args":{"x":"y"}}}`, `{"functionCall":{}}`}}
	passed, tried := 0, every(9)
	for _, begin := range begins {
		for _, name := range names {
			for _, first := range paths {
				for _, second := range paths {
					for _, goesOn := range goesOns {
						for _, end := range ends {
							if !tried() {
								continue
							}
							parts := append([]string{piece(begin, first, "echo #", goesOn), piece(name, second, "rm", goesOn)}, end...)
							var payloads []string
							for _, p := range parts {
								payloads = append(payloads, payload(p, ""))
							}
							payloads = append(payloads, payload(`{"text":"."}`, `,"finishReason":"STOP"`))
							judged, d := judgedCalls(t, sluicetest.Gemini, string(sluicetest.SSE(sluicetest.Gemini, payloads)))
							if d.Err != nil {
								continue // refused
							}
							passed++
							for i := range judged {
								judged[i] = canonical(judged[i])
							}
							left := streamedParts(t, d.Bytes)
							for reader, read := range map[string]func([]streamedPart) []string{"continuing": continuing, "stacking": stacking} {
								for _, call := range read(left) {
									if !slices.Contains(judged, canonical(call)) {
										t.Fatalf("a %s client reads %q, judged was %q, of\n%s\nsent as\n%s", reader, call, judged, strings.Join(parts, "\n"), d.Bytes)
									}
								}
							}
						}
					}
				}
			}
		}
	}
	if passed < cases(1000) {
		t.Errorf("only %d answers were not refused", passed)
	}
}
