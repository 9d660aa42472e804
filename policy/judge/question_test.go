package judge

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
)

func matterFor(b llm.Block, before ...llm.Block) *matter {
	return matterOf(policy.NewSubject(nil, b), before, false)
}

// look returns what a judge sees.
func look(t *testing.T, m *matter) map[string]any {
	t.Helper()
	_, text := m.question()
	var seen map[string]any
	if err := json.Unmarshal([]byte(strings.Split(text, "\n")[2]), &seen); err != nil {
		t.Fatal(err)
	}
	return seen
}

func TestLongTextsAreShownWithBothEnds(t *testing.T) {
	fits := "(" + strings.Repeat("x", maxBody-2) + ")"
	for _, c := range []struct {
		name, text string
		left       int
	}{
		{"exactly as long as allowed", fits, 0},
		{"one byte too long", "(" + fits[1:] + ")", 1},
		{"much too long", "(" + strings.Repeat("x", 10*maxBody) + ")", 9*maxBody + 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := matterFor(llm.Block{Kind: llm.Content, Text: c.text})
			seen := look(t, m)
			if c.left == 0 {
				if seen["text"] != c.text || seen["not_shown_in_full"] != nil || m.notShown() != nil {
					t.Errorf("not shown as it is")
				}
				return
			}
			part, _ := seen["text"].(map[string]any)
			beginning, _ := part["beginning"].(string)
			end, _ := part["end"].(string)
			if part["bytes_left_out"] != float64(c.left) || !strings.HasPrefix(beginning, "(") || !strings.HasSuffix(end, ")") || len(beginning)+len(end) != maxBody {
				t.Errorf("shown %d and %d bytes, %v left out", len(beginning), len(end), part["bytes_left_out"])
			}
			if fmt.Sprint(seen["not_shown_in_full"]) != "[text]" || !slices.Equal(m.notShown(), []string{"text"}) {
				t.Errorf("told: %v, %v", seen["not_shown_in_full"], m.notShown())
			}
		})
	}
}

func TestNoCharacterIsCutInTwo(t *testing.T) {
	for shift := range 4 {
		part, ok := shown(strings.Repeat("x", shift)+strings.Repeat("😀", 100), 50).(excerpt)
		if !ok || !utf8.ValidString(part.Beginning) || !utf8.ValidString(part.End) || len(part.Beginning)+len(part.End) > 50 {
			t.Errorf("shown %q and %q", part.Beginning, part.End)
		}
	}
}

func TestLongArgumentsAreATextAndSayIt(t *testing.T) {
	m := matterFor(llm.Block{Kind: llm.ToolCall, Name: strings.Repeat("n", maxName+1), Arguments: `{"b":"` + strings.Repeat("x", maxBody) + `","a":1}`})
	seen := look(t, m)
	part, _ := seen["arguments"].(map[string]any)
	if beginning, _ := part["beginning"].(string); !strings.HasPrefix(beginning, `{"a":1,"b":"xx`) {
		t.Errorf("arguments begin with %.20q", beginning)
	}
	if fmt.Sprint(seen["not_shown_in_full"]) != "[name arguments]" {
		t.Errorf("told: %v", seen["not_shown_in_full"])
	}
}

// An argument that looks like a text that was cut is not taken for one.
func TestACutTextCannotBeImitated(t *testing.T) {
	seen := look(t, matterFor(llm.Block{Kind: llm.ToolCall, Name: "f", Arguments: `{"beginning":"a","bytes_left_out":0,"end":"b"}`}))
	if seen["not_shown_in_full"] != nil {
		t.Errorf("told: %v", seen["not_shown_in_full"])
	}
}

func TestTheBlocksBeforeAreShown(t *testing.T) {
	seen := look(t, matterFor(llm.Block{Kind: llm.ToolCall, Name: "f"},
		llm.Block{Kind: llm.Thinking, Text: "hm"},
		llm.Block{Kind: llm.Content, Text: strings.Repeat("x", maxEarlier+1)},
		llm.Block{Kind: llm.ToolCall, Name: "g", Arguments: `{"b":1,"a":2}`},
		llm.Block{Kind: llm.ToolCall, Name: "h", Arguments: `{`},
		llm.Block{Kind: llm.Opaque, Raw: json.RawMessage(`{"type":"new"}`)},
	))
	earlier, _ := json.Marshal(seen["earlier_in_this_answer"])
	half := strings.Repeat("x", maxEarlier/2)
	want := `[{"kind":"thinking","text":"hm"},{"kind":"content","text":{"beginning":"` + half + `","bytes_left_out":1,"end":"` + half + `"}},` +
		`{"arguments":{"a":2,"b":1},"kind":"tool_call","tool":"g"},{"arguments":"{","kind":"tool_call","tool":"h"},` +
		`{"kind":"opaque","text":"{\"type\":\"new\"}"}]`
	if string(earlier) != want {
		t.Errorf("shown %s", earlier)
	}
}

func TestOnlyTheLastBlocksBeforeAreShown(t *testing.T) {
	for _, n := range []int{maxBlocks, maxBlocks + 1, 1000} {
		before := make([]llm.Block, n)
		for i := range before {
			before[i] = llm.Block{Kind: llm.Content, Text: fmt.Sprint(i)}
		}
		d := matterFor(llm.Block{Kind: llm.ToolCall, Name: "f"}, before...).document()
		if len(d.Earlier) != maxBlocks || d.Omitted != n-maxBlocks || d.Earlier[maxBlocks-1].Text != fmt.Sprint(n-1) {
			t.Errorf("of %d blocks %d are shown, %d left out", n, len(d.Earlier), d.Omitted)
		}
	}
}

func TestTheBlocksBeforeMakeAnotherQuestion(t *testing.T) {
	call := llm.Block{Kind: llm.ToolCall, Name: "f"}
	text := func(s string) llm.Block { return llm.Block{Kind: llm.Content, Text: s} }
	cfg := &Config{}
	keys := map[string]any{}
	for name, m := range map[string]*matter{
		"none":                matterFor(call),
		"a":                   matterFor(call, text("a")),
		"b":                   matterFor(call, text("b")),
		"a, b":                matterFor(call, text("a"), text("b")),
		"b, a":                matterFor(call, text("b"), text("a")),
		"ab":                  matterFor(call, text("ab")),
		"a as thinking":       matterFor(call, llm.Block{Kind: llm.Thinking, Text: "a"}),
		"a and many more":     matterFor(call, append([]llm.Block{text("a")}, make([]llm.Block, maxBlocks)...)...),
		"b and the same more": matterFor(call, append([]llm.Block{text("b")}, make([]llm.Block, maxBlocks)...)...),
	} {
		key := fmt.Sprint(m.key(cfg))
		if other, known := keys[key]; known {
			t.Errorf("%q and %q are one question", name, other)
		}
		keys[key] = name
	}
	m := matterFor(call)
	for _, other := range []Config{{Version: "2"}, {Name: "x"}, {Instructions: "x"}} {
		if m.key(cfg) == m.key(&other) {
			t.Errorf("the same question with %+v", other)
		}
	}
}

// The largest question stays within what the package promises.
func TestAQuestionIsBounded(t *testing.T) {
	huge := strings.Repeat("\x01", 4<<20)
	before := make([]llm.Block, 10_000)
	for i := range before {
		before[i] = llm.Block{Kind: llm.ToolCall, Name: huge[:1000], Arguments: huge[:10_000]}
	}
	x := &policy.Exchange{Request: &llm.Request{
		Messages: []llm.Message{{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content, Text: huge}}}},
		Tools:    []llm.Tool{{Name: "f", Description: huge, Schema: json.RawMessage(huge)}},
	}}
	m := matterOf(policy.NewSubject(x, llm.Block{Kind: llm.ToolCall, Name: "f", Arguments: huge, Type: huge}), before, false)
	_, text := m.question()
	const most = 6*(maxBody+maxSchema+maxDescription+maxUserText+maxBlocks*(maxEarlier+maxName)+2*maxName) + 8<<10
	if len(text) > most {
		t.Errorf("%d bytes, want at most %d", len(text), most)
	}
}

func FuzzQuestion(f *testing.F) {
	f.Add("Bash", `{"command":"ls"}`, "please", `{"type":"object"}`, "before")
	f.Add("a\nb", "{\"a\":\"\xff\u2028\"}", "END DATA", "{", "\U000e0041")
	f.Fuzz(func(t *testing.T, name, arguments, userText, schema, said string) {
		x := &policy.Exchange{Request: &llm.Request{
			Messages: []llm.Message{{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content, Text: userText}}}},
			Tools:    []llm.Tool{{Name: name, Schema: json.RawMessage(schema)}},
		}}
		m := matterOf(policy.NewSubject(x, llm.Block{Kind: llm.ToolCall, Name: name, Arguments: arguments}), []llm.Block{{Kind: llm.Content, Text: said}}, false)
		id, text := m.question()
		lines := strings.Split(text, "\n")
		if len(lines) != 5 || strings.Contains(lines[2], id) || lines[1] != "BEGIN DATA "+id || lines[3] != "END DATA "+id {
			t.Fatalf("question %q", text)
		}
		if !json.Valid([]byte(lines[2])) || strings.ContainsFunc(lines[2], func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Fatalf("data %q", lines[2])
		}
		var seen struct {
			User any `json:"user_request"`
		}
		if err := json.Unmarshal([]byte(lines[2]), &seen); err != nil {
			t.Fatal(err)
		}
		if utf8.ValidString(userText) && userText != "" && len(userText) <= maxUserText && seen.User != userText {
			t.Fatalf("%q is shown as %q", userText, seen.User)
		}
	})
}
