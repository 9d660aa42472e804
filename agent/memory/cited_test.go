package memory_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/llm"
)

func TestCitationsAreStoredInTheRawOfTheirBlock(t *testing.T) {
	for want, b := range map[string]llm.Block{
		`{"kind":"content","text":"x","raw":"{\"sluice_citations\":[\"{ \\\"a\\\":1}\",\"{}\"]}"}`: {
			Kind: llm.Content, Text: "x", Citations: []json.RawMessage{json.RawMessage(`{ "a":1}`), json.RawMessage(`{}`)},
		},
		`{"kind":"content","raw":"{\"sluice_citations\":[\"{}\"],\"raw\":\"{ }\"}"}`: {
			Kind: llm.Content, Citations: []json.RawMessage{json.RawMessage(`{}`)}, Raw: json.RawMessage(`{ }`),
		},
		`{"kind":"content","raw":"{\"sluice_citations\":[\"/w==\"],\"base64\":true}"}`: {
			Kind: llm.Content, Citations: []json.RawMessage{json.RawMessage("\xff")},
		},
		// What a block without citations is stored as stays what it was, unless it
		// would be taken for citations.
		`{"kind":"content","raw":"{\"citations\":[]}"}`: {Kind: llm.Content, Raw: json.RawMessage(`{"citations":[]}`)},
		`{"kind":"content","raw":"{\"sluice_citations\":[],\"raw\":\"{\\\"sluice_citations\\\":[1]}\"}"}`: {
			Kind: llm.Content, Raw: json.RawMessage(`{"sluice_citations":[1]}`),
		},
	} {
		m := llm.Message{Role: llm.Assistant, Blocks: []llm.Block{b}}
		stored, err := memory.MarshalMessage(m)
		if whole := `{"v":1,"role":"assistant","blocks":[` + want + `]}`; err != nil || string(stored) != whole {
			t.Errorf("stored as\n%s, want\n%s, %v", stored, whole, err)
		}
		if read, err := memory.UnmarshalMessage(stored); err != nil || !reflect.DeepEqual(read, m) {
			t.Errorf("%s is read as %+v, %v", stored, read, err)
		}
	}
}

// A program from before there were citations has these members and refuses others.
func TestProgramsThatKnowNoCitationsReadMessagesThatHaveThem(t *testing.T) {
	stored, err := memory.MarshalMessage(llm.Message{Role: llm.Assistant, Blocks: []llm.Block{{
		Kind: llm.Content, Text: "x", Status: llm.Complete, Citations: []json.RawMessage{json.RawMessage(`{"type":"char_location"}`)},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	var old struct {
		Version int    `json:"v"`
		Role    string `json:"role"`
		Blocks  []struct {
			Kind, ID, Name, Text, Arguments, Signature, Type, Status, Raw string
			ToolUseID                                                     string   `json:"tool_use_id"`
			Failed                                                        bool     `json:"failed"`
			Base64                                                        []string `json:"base64"`
		} `json:"blocks"`
		Base64 []string `json:"base64"`
	}
	d := json.NewDecoder(strings.NewReader(string(stored)))
	d.DisallowUnknownFields()
	if err := d.Decode(&old); err != nil { //nolint:musttag // the names are those in lower case
		t.Fatal(err)
	}
	if b := old.Blocks[0]; b.Text != "x" || b.Status != "complete" || old.Version != 1 {
		t.Errorf("it reads %+v", old)
	}
}

func TestCitationsThatCannotBeReadAreAnError(t *testing.T) {
	for raw, why := range map[string]string{
		`{"sluice_citations":[1]}`:                        "number",
		`{"sluice_citations":[`:                           "EOF",
		`{"sluice_citations":[],"new":1}`:                 "new",
		`{"sluice_citations":[]} {}`:                      "follows",
		`{"sluice_citations":["!"],"base64":true}`:        "base64",
		`{"sluice_citations":[],"raw":"!","base64":true}`: "base64",
	} {
		quoted, err := json.Marshal(raw)
		if err != nil {
			t.Fatal(err)
		}
		_, err = memory.UnmarshalMessage([]byte(`{"v":1,"role":"user","blocks":[{"kind":"content","raw":` + string(quoted) + `}]}`))
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, want %q", raw, err, why)
		}
	}
}
