package memory_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
)

// The form is stable, because programs have stored it.
func TestTheStoredFormStaysWhatItIs(t *testing.T) {
	message := llm.Message{Role: llm.Assistant, Blocks: []llm.Block{
		{Kind: llm.Content, Text: "<a> & \u2028", Status: llm.Complete},
		{Kind: llm.ToolCall, ID: "c", Name: "f", Arguments: `{ "a":1}`, Signature: "s", Type: "tool_use", Status: llm.Malformed, Raw: json.RawMessage("{ }")},
		{Kind: llm.ToolResult, ToolUseID: "c", Text: "\xff", Failed: true, Raw: json.RawMessage("\xfe")},
	}}
	const blocks = `"role":"assistant","blocks":[{"kind":"content","text":"<a> & \u2028","status":"complete"},` +
		`{"kind":"tool_call","id":"c","name":"f","arguments":"{ \"a\":1}","signature":"s","type":"tool_use","status":"malformed","raw":"{ }"},` +
		`{"kind":"tool_result","text":"/w==","tool_use_id":"c","failed":true,"raw":"/g==","base64":["text","raw"]}]}`
	one, err := memory.MarshalMessage(message)
	if want := `{"v":1,` + blocks; err != nil || string(one) != want {
		t.Errorf("%s\n%s\n%v", one, want, err)
	}
	all, err := memory.Marshal([]llm.Message{message, {Role: "\xff"}})
	if want := `{"v":1,"messages":[{` + blocks + `,{"role":"/w==","blocks":[],"base64":["role"]}]}`; err != nil || string(all) != want {
		t.Errorf("%s\n%s\n%v", all, want, err)
	}
	none, err := memory.Marshal(nil)
	if want := `{"v":1,"messages":[]}`; err != nil || string(none) != want {
		t.Errorf("%s\n%s\n%v", none, want, err)
	}
}

func TestSpansAreNotStored(t *testing.T) {
	m := says(llm.User, "x")
	plain, err := memory.MarshalMessage(m)
	if err != nil {
		t.Fatal(err)
	}
	m.Span, m.Blocks[0].Span, m.Blocks[0].BodySpan = llm.Span{End: 3}, llm.Span{End: 2}, llm.Span{End: 1}
	if spanned, err := memory.MarshalMessage(m); err != nil || !bytes.Equal(spanned, plain) {
		t.Errorf("%s, %v", spanned, err)
	}
}

func TestEveryFieldOfAMessageIsStored(t *testing.T) {
	// A field that is new in llm must be stored, or be a span.
	for of, names := range map[reflect.Type]string{
		reflect.TypeFor[llm.Message](): "Role Blocks Span",
		reflect.TypeFor[llm.Block]():   "Kind ID Name Text Arguments Signature ToolUseID Type Status Failed Citations Raw Span BodySpan",
	} {
		var found []string
		for field := range of.Fields() {
			found = append(found, field.Name)
		}
		if got := strings.Join(found, " "); got != names {
			t.Errorf("%s has the fields %s, and the codec knows %s", of, got, names)
		}
	}
}

// A kind or status that is new in llm can be stored, too.
func TestEveryKindAndStatusWithANameCanBeStored(t *testing.T) {
	for n := range 256 {
		kind, status := llm.Kind(n), llm.Status(n)
		_, unnamed := kind.MarshalText()
		if kind == policy.Prompt {
			continue // policies apply to it, and no block is of it
		}
		if _, err := memory.MarshalMessage(llm.Message{Blocks: []llm.Block{{Kind: kind}}}); (err == nil) != (unnamed == nil) {
			t.Errorf("%s: %v", kind, err)
		}
		_, unnamed = status.MarshalText()
		if _, err := memory.MarshalMessage(llm.Message{Blocks: []llm.Block{{Kind: llm.Content, Status: status}}}); (err == nil) != (unnamed == nil) {
			t.Errorf("%s: %v", status, err)
		}
	}
}

func TestWhatHasNoNameIsNotStored(t *testing.T) {
	for name, b := range map[string]llm.Block{"no kind": {}, "an unknown kind": {Kind: 99}, "an unknown status": {Kind: llm.Content, Status: 99}} {
		messages := []llm.Message{says(llm.User, "x"), {Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content}, b}}}
		_, err := memory.Marshal(messages)
		if at, ok := errors.AsType[*memory.MessageError](err); !ok || at.Message != 1 || at.Block != 1 {
			t.Errorf("%s: %v", name, err)
		}
		if _, err = memory.MarshalMessage(messages[1]); err == nil {
			t.Errorf("%s was stored", name)
		}
	}
}

func TestWhatCannotBeReadSaysWhy(t *testing.T) {
	for stored, why := range map[string]string{
		"":                                   "EOF",
		" ":                                  "EOF",
		"{":                                  "EOF",
		"null":                               "version 0",
		"[]":                                 "array",
		`"x"`:                                "string",
		"{}":                                 "version 0",
		`{"v":2}`:                            "version 2",
		`{"v":2,"new":1}`:                    "version 2",
		`{"v":-1}`:                           "version -1",
		`{"v":1.5}`:                          "1.5",
		`{"v":1,"new":1}`:                    "new",
		`{"v":1,"messages":[],"blocks":[]}x`: "blocks",
		"\xff":                               "UTF-8",
		`{"v":1,"role":"` + "\xff" + `"}`:    "UTF-8",
	} {
		_, err := memory.Unmarshal([]byte(stored))
		if _, ok := errors.AsType[*memory.FormatError](err); !ok || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v, want %q", stored, err, why)
		}
	}
	for block, why := range map[string]string{
		`{}`:                                 "no kind",
		`{"kind":null}`:                      "no kind",
		`{"kind":""}`:                        "unknown block kind",
		`{"kind":"song"}`:                    `unknown block kind "song"`,
		`{"kind":1}`:                         "kind",
		`{"kind":"content","status":"lost"}`: `unknown block status "lost"`,
		`{"kind":"content","raw":{}}`:        "raw",
		`{"kind":"content","text":"!","base64":["text"]}`:                "text: illegal base64",
		`{"kind":"content","text":"","base64":["text","text"]}`:          "twice",
		`{"kind":"content","text":"","base64":["kind"]}`:                 `"kind"`,
		`{"kind":"content","text":"","base64":["role"]}`:                 `"role"`,
		`{"kind":"content","texts":[]}`:                                  "texts",
		`{"kind":"content","text":` + strings.Repeat("[", 100_000) + `}`: "depth",
	} {
		one := `{"v":1,"role":"user","blocks":[` + block + `]}`
		_, err := memory.UnmarshalMessage([]byte(one))
		if _, ok := errors.AsType[*memory.FormatError](err); !ok || !strings.Contains(err.Error(), why) {
			t.Errorf("%.200s: %v, want %q", one, err, why)
		}
		if _, err := memory.Unmarshal([]byte(`{"v":1,"messages":[{"role":"user","blocks":[` + block + `]}]}`)); err == nil {
			t.Errorf("%.200s was read in a list", block)
		}
	}
	if _, err := memory.Unmarshal([]byte(`{"v":1,"messages":[{"v":1,"role":"user"}]}`)); err == nil {
		t.Error("a message with a version of its own was read in a list")
	}
	if _, err := memory.UnmarshalMessage([]byte(`{"v":1,"role":"user"} {}`)); err == nil || !strings.Contains(err.Error(), "follows") {
		t.Errorf("two messages were read as one: %v", err)
	}
}

// randomText is text, bytes, or what a writer of JSON may change.
func randomText(r *rand.Rand) string {
	pieces := []string{"", "a", "é", "\x00", "\xff", "\xed\xa0\x80", "\xed\xb0\x80", "\ud7ff", "\ufffd", "\u2028", `\ud800`, `\`, `"`, "<", " ", "\n", "👩", "\xf0\x9f", "/w=="}
	var b strings.Builder
	for range r.IntN(5) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func randomMessages(r *rand.Rand) []llm.Message {
	messages := make([]llm.Message, r.IntN(5))
	for i := range messages {
		messages[i] = llm.Message{Role: llm.Role(randomText(r)), Blocks: make([]llm.Block, r.IntN(4))}
		for j := range messages[i].Blocks {
			b := &messages[i].Blocks[j]
			*b = llm.Block{
				Kind: llm.Kind(1 + r.IntN(int(llm.Opaque))), Status: llm.Status(r.IntN(int(llm.Malformed) + 1)), Failed: r.IntN(2) == 0,
				ID: randomText(r), Name: randomText(r), Text: randomText(r), Arguments: randomText(r), Signature: randomText(r),
				ToolUseID: randomText(r), Type: randomText(r),
			}
			if raw := randomText(r); raw != "" {
				b.Raw = json.RawMessage(raw)
			}
			for range r.IntN(3) {
				b.Citations = append(b.Citations, json.RawMessage("{"+randomText(r)))
			}
		}
	}
	return messages
}

func TestWhatIsStoredIsReadBackByteForByte(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		messages := randomMessages(r)
		stored, err := memory.Marshal(messages)
		if err != nil {
			t.Fatal(err)
		}
		read, err := memory.Unmarshal(stored)
		if err != nil || !reflect.DeepEqual(read, messages) {
			t.Fatalf("%+v\nwas stored as %s\nand read as %+v, %v", messages, stored, read, err)
		}
		for _, m := range messages {
			stored, err := memory.MarshalMessage(m)
			if err != nil {
				t.Fatal(err)
			}
			read, err := memory.UnmarshalMessage(stored)
			if err != nil || !reflect.DeepEqual(read, m) {
				t.Fatalf("%+v\nwas stored as %s\nand read as %+v, %v", m, stored, read, err)
			}
		}
	}
}

// Whatever is stored is an error or messages that are stored and read as
// themselves.
func FuzzUnmarshal(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		stored, err := memory.Marshal(randomMessages(r))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(stored)
	}
	f.Add([]byte(`{"v":1,"role":"user","blocks":[{"kind":"content","text":"/w==","base64":["text"]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if message, err := memory.UnmarshalMessage(data); err == nil {
			again(t, []llm.Message{message})
		}
		if messages, err := memory.Unmarshal(data); err == nil {
			again(t, messages)
		}
	})
}

// Whatever a text is, every field keeps it.
func FuzzMarshal(f *testing.F) {
	f.Add("", "", []byte(nil))
	f.Add("a\xff", "\x00", []byte("{ }"))
	f.Fuzz(func(t *testing.T, a, b string, raw []byte) {
		if len(raw) == 0 {
			raw = nil
		}
		again(t, []llm.Message{{Role: llm.Role(b), Blocks: []llm.Block{
			{Kind: llm.ToolCall, ID: a, Name: b, Text: a, Arguments: b, Signature: a, ToolUseID: b, Type: a, Raw: raw},
		}}})
	})
}

func again(t *testing.T, messages []llm.Message) {
	stored, err := memory.Marshal(messages)
	if err != nil {
		t.Fatal(err)
	}
	read, err := memory.Unmarshal(stored)
	if err != nil || !reflect.DeepEqual(read, messages) {
		t.Fatalf("%+v\nwas stored as %s\nand read as %+v, %v", messages, stored, read, err)
	}
}
