package fault_test

import (
	"fmt"
	"testing"

	"github.com/sluice-project/sluice/wire/internal/fault"
)

func TestReadTakesWhatIsSaid(t *testing.T) {
	for _, tc := range []struct {
		name, raw          string
		typ, code, message string
	}{
		{"an object", `{"type":"t","code":"c","message":"m \u0041","param":{"code":"x"}}`, "t", "c", "m A"},
		{"a code that is a number", `{"code":429,"message":"m"}`, "", "429", "m"},
		{"null", `{"type":null,"code":null,"message":null}`, "", "", ""},
		{"members of other types", `{"type":["t"],"code":{"a":1},"message":true}`, "", "", ""},
		{"a text", `"it broke"`, "", "", "it broke"},
		{"a list", `["it broke"]`, "", "", ""},
		{"an object that is cut", `{"type":"t","message":"m`, "t", "", ""},
		{"nothing", ``, "", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := fault.Read([]byte(tc.raw))
			if e.Type != tc.typ || e.Code != tc.code || e.Message != tc.message || string(e.Raw) != tc.raw {
				t.Errorf("got %+v", e)
			}
		})
	}
}

func Example() {
	e := fault.Read([]byte(`{"type":"rate_limit_error","code":429,"message":"slow down"}`))
	fmt.Println(e.Type, e.Code, e.Message)
	// Output: rate_limit_error 429 slow down
}
