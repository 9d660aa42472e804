package request_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/internal/request"
)

func TestIdsNeverMeet(t *testing.T) {
	given := []string{
		"a", "A", "toolu_01", "functions.f:0", "functions.f:1", "a|b", "é", "call_sluice_1", "call_sluice64_YQ", "call_sluice32_A",
		strings.Repeat("x", 100), strings.Repeat("x", 101), "call_sluice64_" + strings.Repeat("x", 60),
	}
	for _, ids := range []request.IDs{{}, {Strict: true}, {Limit: 40}, {Limit: 64, Strict: true}} {
		taken := map[string]string{}
		for _, id := range given {
			fit := ids.Call(id)
			if other, met := taken[fit]; met {
				t.Errorf("%+v: %q and %q are both %q", ids, id, other, fit)
			}
			taken[fit] = id
			if fit != ids.Result(id) || ids.Limit > 0 && len(fit) > ids.Limit {
				t.Errorf("%+v: %q is %q", ids, id, fit)
			}
			if ids.Strict && strings.ContainsFunc(fit, func(r rune) bool { return r > 'z' || strings.ContainsRune(".:|", r) }) {
				t.Errorf("%+v: %q is %q", ids, id, fit)
			}
		}
		if first := ids.Call(""); taken[first] != "" || first != ids.Result("") || first == ids.Call("") {
			t.Errorf("%+v: no id is %q", ids, first)
		}
	}
}

func TestABodyIsJSONOrRefused(t *testing.T) {
	b := request.NewBody([]byte("x["), "d")
	b.Open('{')
	b.String("a\"", "\n")
	b.Key("list")
	b.Open('[')
	b.Text("1")
	b.Exact("exact", []byte("[ ]"))
	b.Close(']')
	b.Int("n", -1)
	b.Float("f", 0.1)
	b.True("t")
	b.Extra(map[string]json.RawMessage{"z": []byte("1"), "y": []byte("2")})
	b.Close('}')
	out, err := b.Bytes()
	if want := `x[{"a\"":"\n","list":["1",[ ]],"n":-1,"f":0.1,"t":true,"y":2,"z":1}`; string(out) != want || err != nil {
		t.Errorf("%s, %v", out, err)
	}
	for name, spoil := range map[string]func(*request.Body){
		"exact": func(b *request.Body) { b.Exact("exact", nil) },
		"nan":   func(b *request.Body) { b.Float("f", math.NaN()) },
		"extra": func(b *request.Body) { b.Extra(map[string]json.RawMessage{"a": []byte("1")}, "a") },
	} {
		b := request.NewBody([]byte("x"), "d")
		b.Open('{')
		spoil(b)
		b.Refusef("later")
		out, err := b.Bytes()
		if bad := new(llm.RequestError); string(out) != "x" || !errors.As(err, &bad) || bad.Reason == "later" {
			t.Errorf("%s: %q, %v", name, out, err)
		}
	}
}
