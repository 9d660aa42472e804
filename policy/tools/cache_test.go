package tools

import (
	"fmt"
	"strings"
	"testing"
)

func TestTheCacheKeepsABoundedWeight(t *testing.T) {
	var c cache
	pad := strings.Repeat("x", 250<<10)
	for i := range 150 {
		if _, err := c.get(fmt.Appendf(nil, `{"description":"%d%s"}`, i, pad)); err != nil {
			t.Fatal(err)
		}
		if c.weight > maxCacheWeight/2 {
			t.Fatalf("weight %d after %d schemas", c.weight, i+1)
		}
	}
	if n := len(c.young) + len(c.old); n >= 150 || n < 10 {
		t.Errorf("%d schemas are kept", n)
	}
}

func TestTheCacheReturnsTheSameSchemaAndTheSameFailure(t *testing.T) {
	var c cache
	one, _ := c.get([]byte(`{"type":"string"}`))
	two, _ := c.get([]byte(`{"type":"string"}`))
	if one == nil || one != two {
		t.Error("it was compiled twice")
	}
	_, err := c.get([]byte(`{"type":"x"}`))
	_, again := c.get([]byte(`{"type":"x"}`))
	if err == nil || err != again {
		t.Errorf("%v and %v", err, again)
	}
}

func TestAWildcardIsAnyRunOfCharacters(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"*", "", true}, {"a*", "a", true}, {"*a", "ba", true}, {"a*c", "abc", true}, {"a*c", "abd", false},
		{"*a*b*", "xaxbx", true}, {"a*b*c", "abbcbc", true}, {"a", "", false}, {"", "a", false}, {"**", "x", true}, {"a?", "ab", false},
	} {
		if got := glob(c.pattern, c.name); got != c.want {
			t.Errorf("glob(%q, %q) = %v", c.pattern, c.name, got)
		}
	}
}
