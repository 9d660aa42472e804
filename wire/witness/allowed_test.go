package witness

import "testing"

// Arguments are those that were allowed only if every reader reads them so.
func TestSpellingsOfTheSame(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		same bool
	}{
		{`{ "b" : [1, {"d":2,"c":3}], "a":"x" }`, true}, {`{"a":"\u0078","b":[1,{"c":3,"d":2}]}`, true},
		{`{"a":"y","a":"x","b":[1,{"c":3,"d":2}]}`, false}, {`{"a":"x","b":[1,{"c":3,"d":2}],"a":"x"}`, false},
		{`{"a":"x","b":[1,{"c":3,"d":2}]}}`, false}, {`{"a":"x","b":[1,{"c":3,"d":2}]}]`, false}, {`{"a":"x","b":[1,{"c":3,"d":2}]} {}`, false},
		{`{"a":"x","b":[{"c":3,"d":2},1]}`, false}, {`{"a":"x","b":[1.0,{"c":3,"d":2}]}`, false},
	} {
		if same := canonical(c.text) == canonical(`{"a":"x","b":[1,{"c":3,"d":2}]}`); same != c.same {
			t.Errorf("%s: %v", c.text, same)
		}
	}
}
