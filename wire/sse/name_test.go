package sse_test

import (
	"testing"

	"github.com/sluice-project/sluice/wire/sse"
)

func TestANameThatCanHoldACallIsNotPlain(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "message", "response.output_item.added", "keep-alive", "a b:c/d"} {
		if !sse.IsPlainName(name) {
			t.Errorf("%q is a plain name", name)
		}
	}
	const call = `{"name":"Bash"}`
	for _, name := range []string{call, "x " + call, "xdata: " + call, `{\u0022a`, "x\u2028data: 1", "x\u0085", "x\vy", "x\x00"} {
		if sse.IsPlainName(name) {
			t.Errorf("%q is not a plain name", name)
		}
	}
}
