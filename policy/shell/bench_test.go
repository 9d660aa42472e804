package shell_test

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/shell"
)

const ordinary = `cd /srv/app && git -C repo log --oneline -n 20 "main..feature" | head -5; grep -rn 'TODO' src > /tmp/out`

func BenchmarkSplit(b *testing.B) {
	b.SetBytes(int64(len(ordinary)))
	b.ReportAllocs()
	for b.Loop() {
		shell.Split(ordinary)
	}
}

func BenchmarkSplitLong(b *testing.B) {
	text := strings.Repeat("echo 'a b' \"c $d\" e\\ f >/dev/null; ", 900)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		shell.Split(text)
	}
}
