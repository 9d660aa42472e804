package secret

import (
	"encoding/json"
	"testing"
)

// What Restore puts in Conceal takes out, in whatever form the text has it.
func TestConcealIsTheOppositeOfRestore(t *testing.T) {
	v := NewVault(VaultOptions{})
	long, short, odd := "[secret:credential:0000000000000001]", "[secret:credential:0000000000000002]", "[secret:credential:0000000000000003]"
	v.put(short, "hunter2000")
	v.put(long, "xhunter2000x")
	v.put(odd, "-----BEGIN \"<KEY>&\n\tab\\c")
	for _, text := range []string{"", "nothing", "p=" + short, long + short, "a " + odd + " b", short + odd + long} {
		restored, known := v.Restore(text)
		if !known {
			t.Fatalf("%q is not known", text)
		}
		if got := v.Conceal(restored); got != text {
			t.Errorf("%q becomes %q", restored, got)
		}
		inside, err := json.Marshal(map[string]string{"k": restored})
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]string
		if concealed := v.Conceal(string(inside)); json.Unmarshal([]byte(concealed), &got) != nil || got["k"] != text {
			t.Errorf("%s becomes %s", inside, concealed)
		}
	}
	v.put("[secret:credential:0000000000000004]", "another one")
	if got := v.Conceal("another one"); got != "[secret:credential:0000000000000004]" {
		t.Errorf("what comes later is not concealed: %q", got)
	}
	if got := (*Vault)(nil).Conceal("hunter2000"); got != "hunter2000" {
		t.Errorf("a vault that is none changes %q", got)
	}
}
