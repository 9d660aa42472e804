package values_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/sluice-project/sluice/policy/program/values"
)

// maker makes values within limits, and notes those that were reached.
func maker(refused *[]string) *values.Maker {
	return &values.Maker{Steps: 1000, Bytes: 1000, Work: 1000, Refused: func(limit string) { *refused = append(*refused, limit) }}
}

func ExampleMaker() {
	m := maker(&[]string{})
	command := m.Concat(values.Text("rm -rf "), values.Unknown("dir"))
	fmt.Println(values.Shown(command.Piece()))
	either := m.Concat(values.Text("rm "), values.Join(values.Text("a"), values.Text("b")))
	fmt.Println(either.Pieces())
	// Output:
	// rm -rf ${dir}
	// [rm a rm b]
}

// What a value was made from goes with it, whatever is done to it.
func TestOriginsStay(t *testing.T) {
	m := maker(&[]string{})
	secret := values.Text("x").MadeOf(values.FromSources(".env"))
	for name, v := range map[string]values.Value{
		"concat":  m.Concat(values.Text("a"), secret),
		"joined":  m.Joined(values.Text(","), values.List(values.Text("a"), secret)),
		"list":    values.MadeBy(new(values.List(values.List(secret)))),
		"element": m.Element(values.List(values.Text("a"), secret)),
		"format":  m.Format(values.Text("%s"), []values.Value{secret}),
		"decoded": operation(m, "base64", secret),
		"lower":   operation(m, "lower", secret),
		"replace": operation(m, "replace", values.Text("ab"), values.Text("a"), values.Unknown("x").MadeOf(secret.Origin())),
		"split":   operation(m, "split", values.Unknown("x").MadeOf(secret.Origin())),
	} {
		if got := v.Sources(); len(got) != 1 || got[0] != ".env" {
			t.Errorf("%s: made from %q", name, got)
		}
	}
}

func operation(m *values.Maker, name string, operands ...values.Value) values.Value {
	return values.Operations[name](m, &values.Operands{Values: operands, Given: slices.Repeat([]bool{true}, len(operands))})
}

// A part that is not known stays unknown, and what stands around it stays known where
// the operation leaves it.
func TestWhatIsNotKnownStaysSo(t *testing.T) {
	m := maker(&[]string{})
	partly := m.Concat(values.Text("C:\\"), values.Unknown("dir"))
	if got := values.Shown(m.Replaced(partly, "\\", "/").Text); got != "C:/${dir}" {
		t.Errorf("replaced: %s", got)
	}
	if v := operation(m, "base64", partly); values.IsKnown(v.Text) || v.Hidden() != "base64" {
		t.Errorf("decoded: %+v", v)
	}
	if _, known := values.Perhaps("rm").Known(); known {
		t.Error("what is perhaps a text is known")
	}
}

func TestLimitsAreSaid(t *testing.T) {
	var refused []string
	m := maker(&refused)
	if v := m.Repeat(values.Text("abcdefghij"), 200); values.IsKnown(v.Text) {
		t.Errorf("a text of 2000 bytes was made: %d", len(v.Text))
	}
	for m.Step() {
		continue
	}
	if len(refused) < 2 || refused[0] != "bytes" || refused[1] != "steps" {
		t.Errorf("refused %q", refused)
	}
}
