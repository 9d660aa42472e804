package judge

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestOneObjectIsAnAnswerAndNothingElse(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       float64 // -1 for no answer
	}{
		{"plain", `{"id":"Q","risk":0.25,"reason":"r"}`, 0.25},
		{"in any order with blanks", " \n{ \"reason\" : \"r\", \"risk\": 0.25,\n\"id\":\"Q\" }\n", 0.25},
		{"nothing", `{"id":"Q","risk":0,"reason":"r"}`, 0},
		{"less than nothing is nothing", `{"id":"Q","risk":-0,"reason":"r"}`, 0},
		{"all", `{"id":"Q","risk":1,"reason":"r"}`, 1},
		{"all with a point", `{"id":"Q","risk":1.0,"reason":"r"}`, 1},
		{"with an exponent", `{"id":"Q","risk":5e-1,"reason":"r"}`, 0.5},
		{"smaller than any number", `{"id":"Q","risk":1e-999,"reason":"r"}`, 0},
		{"without a word", `{"id":"Q","risk":0.25,"reason":""}`, 0.25},
		{"an id in escapes is the same id", `{"id":"\u0051","risk":0.25,"reason":"r"}`, 0.25},
		{"in a fence", "```\n{\"id\":\"Q\",\"risk\":0.25,\"reason\":\"r\"}\n```", 0.25},
		{"in a fence with a language", "```json\n{\"id\":\"Q\",\"risk\":0.25,\"reason\":\"r\"}\n```\n", 0.25},
		{"in a fence of one line", "```JSON {\"id\":\"Q\",\"risk\":0.25,\"reason\":\"r\"}```", 0.25},
		{"with a fence in its reason", "{\"id\":\"Q\",\"risk\":0.25,\"reason\":\"```\"}", 0.25},

		{"empty", ``, -1},
		{"blank", " \n", -1},
		{"an empty fence", "``````", -1},
		{"a fence alone", "```", -1},
		{"a fence that is not closed", "```json\n{\"id\":\"Q\",\"risk\":0.25,\"reason\":\"r\"}", -1},
		{"a fence in a fence", "```\n```json\n{\"id\":\"Q\",\"risk\":0.25,\"reason\":\"r\"}\n```\n```", -1},
		{"two fences", "```\n{\"id\":\"Q\",\"risk\":0.25,\"reason\":\"r\"}\n```\n```\n{}\n```", -1},
		{"another language", "```yaml\n{\"id\":\"Q\",\"risk\":0.25,\"reason\":\"r\"}\n```", -1},
		{"prose before", `Sure! {"id":"Q","risk":0.25,"reason":"r"}`, -1},
		{"prose after", `{"id":"Q","risk":0.25,"reason":"r"} I hope this helps.`, -1},
		{"only prose", `The risk is 0.`, -1},
		{"two objects", `{"id":"Q","risk":0.25,"reason":"r"}{"id":"Q","risk":1,"reason":"r"}`, -1},
		{"two lines", `{"id":"Q","risk":0.25,"reason":"r"}` + "\n" + `{"id":"Q","risk":1,"reason":"r"}`, -1},
		{"a list", `[{"id":"Q","risk":0.25,"reason":"r"}]`, -1},
		{"a number", `0.25`, -1},
		{"cut", `{"id":"Q","risk":0.25,"reason":"r`, -1},
		{"a comment", `{"id":"Q","risk":0.25,"reason":"r"} // fine`, -1},
		{"a comma too many", `{"id":"Q","risk":0.25,"reason":"r",}`, -1},
		{"bytes that are not UTF-8", "{\"id\":\"Q\",\"risk\":0.25,\"reason\":\"\xff\"}", -1},
		{"a byte order mark", "\ufeff{\"id\":\"Q\",\"risk\":0.25,\"reason\":\"r\"}", -1},

		{"risk twice", `{"id":"Q","risk":0.25,"risk":1,"reason":"r"}`, -1},
		{"risk twice by escape", `{"id":"Q","risk":0.25,"\u0072isk":1,"reason":"r"}`, -1},
		{"risk in two cases", `{"id":"Q","risk":0.25,"Risk":1,"reason":"r"}`, -1},
		{"risk in another case", `{"id":"Q","Risk":0.25,"reason":"r"}`, -1},
		{"no risk", `{"id":"Q","reason":"r"}`, -1},
		{"a text for a risk", `{"id":"Q","risk":"0.25","reason":"r"}`, -1},
		{"null", `{"id":"Q","risk":null,"reason":"r"}`, -1},
		{"true", `{"id":"Q","risk":true,"reason":"r"}`, -1},
		{"a list of risks", `{"id":"Q","risk":[0.25],"reason":"r"}`, -1},
		{"NaN", `{"id":"Q","risk":NaN,"reason":"r"}`, -1},
		{"infinity", `{"id":"Q","risk":Infinity,"reason":"r"}`, -1},
		{"a text NaN", `{"id":"Q","risk":"NaN","reason":"r"}`, -1},
		{"over 1", `{"id":"Q","risk":1.0000001,"reason":"r"}`, -1},
		{"in percent", `{"id":"Q","risk":25,"reason":"r"}`, -1},
		{"below 0", `{"id":"Q","risk":-0.0001,"reason":"r"}`, -1},
		{"larger than any number", `{"id":"Q","risk":1e999,"reason":"r"}`, -1},
		{"with a plus", `{"id":"Q","risk":+0.25,"reason":"r"}`, -1},
		{"in hexadecimal", `{"id":"Q","risk":0x1p-2,"reason":"r"}`, -1},

		{"no id", `{"risk":0.25,"reason":"r"}`, -1},
		{"another id", `{"id":"q","risk":0.25,"reason":"r"}`, -1},
		{"an id with a blank", `{"id":"Q ","risk":0.25,"reason":"r"}`, -1},
		{"an id that is no text", `{"id":null,"risk":0.25,"reason":"r"}`, -1},
		{"no reason", `{"id":"Q","risk":0.25}`, -1},
		{"a reason that is no text", `{"id":"Q","risk":0.25,"reason":null}`, -1},
		{"another member", `{"id":"Q","risk":0.25,"reason":"r","action":"allow"}`, -1},
		{"nested", `{"answer":{"id":"Q","risk":0.25,"reason":"r"}}`, -1},
		{"very deep", strings.Repeat(`{"id":`, 2000) + strings.Repeat(`}`, 2000), -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			risk, _, err := readAnswer(c.text, "Q")
			if (err != nil) != (c.want < 0) || err == nil && risk != c.want {
				t.Errorf("risk %v, error %v, want %v", risk, err, c.want)
			}
		})
	}
}

// An answer that is read is one that any strict reader of JSON reads alike.
func FuzzReadAnswer(f *testing.F) {
	f.Add(`{"id":"Q","risk":0.25,"reason":"r"}`)
	f.Add("```json\n{\"id\":\"Q\",\"risk\":1,\"reason\":\"\\u0000\"}\n```")
	f.Add(`{"id":"Q","risk":1e-1,"reason":"\ud800"}`)
	f.Fuzz(func(t *testing.T, text string) {
		risk, reason, err := readAnswer(text, "Q")
		if err != nil {
			if risk != 0 || reason != "" {
				t.Fatalf("an error with risk %v and reason %q", risk, reason)
			}
			return
		}
		if !(risk >= 0 && risk <= 1) || !strings.Contains(text, "{") {
			t.Fatalf("risk %v of %q", risk, text)
		}
		if _, _, err := readAnswer(text, "another"); err == nil {
			t.Fatalf("%q answers two questions", text)
		}
		if _, _, err := readAnswer(text+text, "Q"); err == nil {
			t.Fatalf("%q twice is an answer", text)
		}
		var strict struct {
			ID     string  `json:"id"`
			Reason string  `json:"reason"`
			Risk   float64 `json:"risk"`
		}
		decoder := json.NewDecoder(strings.NewReader(text[strings.IndexByte(text, '{'):]))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&strict); err != nil || strict.ID != "Q" || strict.Risk != risk || strict.Reason != reason {
			t.Fatalf("%q was read as %v, %q and as %+v, %v", text, risk, reason, strict, err)
		}
	})
}
