package jsonscan

import (
	"fmt"
	"strings"
	"testing"
)

// members returns an object with n members.
func members(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`"k%d":%d`, i, i)
	}
	return "{" + strings.Join(list, ",") + "}"
}

func TestSmallArgumentsAreClassifiedLikeLargeOnes(t *testing.T) {
	nested := func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }
	for name, tc := range map[string]struct {
		text         string
		small, found bool
	}{
		"a value that is no object":               {`[1,"a",null]`, true, false},
		"as many keys as fit":                     {members(smallKeys), true, false},
		"one key more":                            {members(smallKeys + 1), false, false},
		"keys of objects that ended do not count": {`[` + members(smallKeys) + `,` + members(smallKeys) + `]`, true, false},
		"as deep as fits":                         {nested(smallDepth), true, false},
		"one level more":                          {nested(smallDepth + 1), false, false},
		"arrays need no room":                     {strings.Repeat("[", 100) + `{"a":1,"a":2}` + strings.Repeat("]", 100), true, true},
		"an escaped key":                          {`{"a":1,"\u0061":2}`, false, true},
		"the same key in two objects":             {`{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}`, true, false},
		"the same key around another object":      {`{"a":{"b":1,"c":2},"a":1}`, true, true},
		"twice in an inner object":                {`{"a":1,"b":{"a":1,"c":{},"a":2},"c":3}`, true, true},
		"twice, then cut":                         {`{"a":1,"a":2,"b`, true, true},
		"an escaped value does not matter":        {`{"a":"\n","b":"\u0061"}`, true, false},
		"twice in what comes after large ones":    {`[` + members(100) + `,{"a":1,"a":2}]`, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			var small, large, both Scanner
			small.Reset([]byte(tc.text))
			large.Reset([]byte(tc.text))
			both.Reset([]byte(tc.text))
			if found, ok := smallDuplicate(&small); ok != tc.small || ok && found != tc.found {
				t.Errorf("small: found %t, ok %t", found, ok)
			}
			if found := anyDuplicate(&large); found != tc.found {
				t.Errorf("large: found %t", found)
			}
			if found := hasDuplicateKey(&both); found != tc.found || both.Pos() != large.Pos() || (both.Err() == nil) != (large.Err() == nil) {
				t.Errorf("found %t, at %d and %d, %v and %v", found, both.Pos(), large.Pos(), both.Err(), large.Err())
			}
		})
	}
}

func TestOrdinaryArgumentsAreClassifiedWithoutAllocating(t *testing.T) {
	const text = `{"file_path":"/home/u/main.go","edits":[{"old":"a \"quoted\" word","new":"b"},{"old":"c","new":"d"}],"all":true}`
	data := []byte(text)
	if n := testing.AllocsPerRun(100, func() {
		if Classify(data) != ShapeObject || !IsObject(text) {
			t.Error("not an object")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// FuzzDuplicate reads a document both ways: they must agree where the short one
// does not give up.
func FuzzDuplicate(f *testing.F) {
	f.Add([]byte(`{"a":{"b":1,"c":[{"a":1}]},"a":1}`))
	f.Add([]byte(`[{"a":1,"\u0061":2},{"b":`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var small, large Scanner
		small.Reset(data)
		large.Reset(data)
		found, ok := smallDuplicate(&small)
		if want := anyDuplicate(&large); ok && (found != want || small.Pos() != large.Pos() || (small.Err() == nil) != (large.Err() == nil)) {
			t.Fatalf("%t and %t, at %d and %d, %v and %v", found, want, small.Pos(), large.Pos(), small.Err(), large.Err())
		}
	})
}
