package hook

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy"
)

func TestOneObjectIsAnAnswerAndNothingElse(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       policy.Action // 0 for no answer
	}{
		{"allow", `{"action":"allow"}`, policy.Allow},
		{"with everything", ` {"notes":["a"],"reason":"r","action":"ask"} `, policy.Ask},
		{"empty notes", `{"action":"allow","notes":[]}`, policy.Allow},

		{"nothing", ``, 0},
		{"blanks", ` `, 0},
		{"an empty object", `{}`, 0},
		{"no action", `{"reason":"r"}`, 0},
		{"an empty action", `{"action":""}`, 0},
		{"no decision", `{"action":"none"}`, 0},
		{"rewrite", `{"action":"rewrite"}`, 0},
		{"redact", `{"action":"redact"}`, 0},
		{"unknown", `{"action":"deny"}`, 0},
		{"in capitals", `{"action":"Allow"}`, 0},
		{"with a blank", `{"action":"allow "}`, 0},
		{"a number", `{"action":1}`, 0},
		{"true", `{"action":true}`, 0},
		{"null", `{"action":null}`, 0},
		{"a list", `[{"action":"allow"}]`, 0},
		{"a text", `"allow"`, 0},
		{"two objects", `{"action":"allow"}{"action":"block"}`, 0},
		{"an action twice", `{"action":"allow","action":"block"}`, 0},
		{"an action in two cases", `{"action":"allow","Action":"block"}`, 0},
		{"an action in another case", `{"Action":"allow"}`, 0},
		{"what is not known", `{"action":"allow","risk":0}`, 0},
		{"a reason that is no text", `{"action":"allow","reason":null}`, 0},
		{"notes that are no list", `{"action":"allow","notes":"n"}`, 0},
		{"notes that are null", `{"action":"allow","notes":null}`, 0},
		{"a note that is no text", `{"action":"allow","notes":["n",null]}`, 0},
		{"in a fence", "```json\n{\"action\":\"allow\"}\n```", 0},
		{"cut", `{"action":"allow"`, 0},
		{"bytes that are not UTF-8", "{\"action\":\"allow\",\"reason\":\"\xff\"}", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := readAnswer([]byte(c.text))
			if a.action != c.want || (err == nil) != (c.want != 0) {
				t.Errorf("action %v, error %v", a.action, err)
			}
		})
	}
}

func TestWordsAreBounded(t *testing.T) {
	notes := strings.TrimSuffix(strings.Repeat(`"`+strings.Repeat("n", maxNote+1)+`",`, maxNotes+1), ",")
	a, err := readAnswer([]byte(`{"action":"block","reason":"` + strings.Repeat("r", maxReason+1) + `","notes":[` + notes + `]}`))
	if err != nil || a.reason != strings.Repeat("r", maxReason-1)+"…" || len(a.notes) != maxNotes || a.notes[0] != strings.Repeat("n", maxNote-1)+"…" {
		t.Errorf("answer %+v, error %v", a, err)
	}
	a, err = readAnswer([]byte(`{"action":"block","reason":"` + strings.Repeat("r", maxReason) + `","notes":["` + strings.Repeat("n", maxNote) + `"]}`))
	if err != nil || len(a.reason) != maxReason || len(a.notes[0]) != maxNote {
		t.Errorf("answer %+v, error %v", a, err)
	}
}

func FuzzReadAnswer(f *testing.F) {
	f.Add([]byte(`{"action":"block end_turn","reason":"r","notes":["a","b"]}`))
	f.Add([]byte(`{"action":"allow","notes":[null]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		a, err := readAnswer(text)
		if err != nil {
			if a.action != 0 {
				t.Fatalf("an error with %v", a.action)
			}
			return
		}
		if a.action == 0 || a.action == policy.Rewrite || a.action == policy.Redact || a.action > policy.Abort || len(a.notes) > maxNotes {
			t.Fatalf("%q became %+v", text, a)
		}
		if !strings.Contains(string(text), "action") && !strings.Contains(string(text), `\u`) {
			t.Fatalf("%q became %+v", text, a)
		}
	})
}
