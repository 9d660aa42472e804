package jsonscan

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// Two keys are one to encoding/json if and only if their folded forms are equal.
func TestKeysFoldAsEncodingJSONComparesThem(t *testing.T) {
	letters := []string{"s", "S", "\u017f", "k", "K", "\u212a", "a", "A", "_", "1", "ß", "\u1e9e", "é"}
	var keys []string
	for _, a := range letters {
		for _, b := range letters {
			keys = append(keys, a+b)
		}
	}
	for _, key := range keys {
		for _, name := range []string{"sk", "ks", "ss", "as", "_k", "k1", "aa"} {
			var target struct {
				SK string `json:"sk"`
				KS string `json:"ks"`
				SS string `json:"ss"`
				AS string `json:"as"`
				UK string `json:"_k"`
				K1 string `json:"k1"`
				AA string `json:"aa"`
			}
			body, err := json.Marshal(map[string]string{key: "read"})
			if err == nil {
				err = json.Unmarshal(body, &target)
			}
			if err != nil {
				t.Fatal(err)
			}
			read := map[string]string{"sk": target.SK, "ks": target.KS, "ss": target.SS, "as": target.AS, "_k": target.UK, "k1": target.K1, "aa": target.AA}[name] != ""
			if got := string(Fold(make([]byte, 16), []byte(key))) == name; got != read {
				t.Errorf("%q as %q: %v, encoding/json says %v", key, name, got, read)
			}
			if Disguised([]byte(key), []string{name}) != (read && strings.ContainsFunc(key, func(c rune) bool { return c >= 0x80 || c >= 'A' && c <= 'Z' })) {
				t.Errorf("%q is or is not %q in disguise", key, name)
			}
		}
	}
}

// A key that no known name can be is not copied.
func TestLongKeysAreNotFolded(t *testing.T) {
	long := []byte("AAAAAAAAAAAAAAAAAAAAAAAA")
	if got := Fold(make([]byte, 16), long); !bytes.Equal(got, long) {
		t.Errorf("%s", got)
	}
	buf, key := make([]byte, 16), []byte("Tool_Calls")
	if n := testing.AllocsPerRun(100, func() { Fold(buf, key) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
