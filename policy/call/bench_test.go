package call_test

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/call"
)

// A call that is no shell's, with 4 KB of arguments.
func BenchmarkReadOther(b *testing.B) {
	block := function("get_weather", `{"city":"Paris","units":"metric","days":[1,2,3],"notes":"`+strings.Repeat("some text with a few words, ", 142)+`"}`)
	b.SetBytes(int64(len(block.Arguments)))
	b.ReportAllocs()
	for b.Loop() {
		call.Read(block, call.Place{})
	}
}

// The same with many small members instead of one text.
func BenchmarkReadMembers(b *testing.B) {
	block := function("get_weather", `{"list":[`+strings.Repeat(`{"id":12,"name":"x","on":true},`, 130)+`{}]}`)
	b.SetBytes(int64(len(block.Arguments)))
	b.ReportAllocs()
	for b.Loop() {
		call.Read(block, call.Place{})
	}
}

func BenchmarkReadWrite(b *testing.B) {
	block := function("Write", `{"file_path":"/srv/app/main.go","content":"`+strings.Repeat(`x := 1\n\tfmt.Println(\"a\")\n`, 140)+`"}`)
	b.SetBytes(int64(len(block.Arguments)))
	b.ReportAllocs()
	for b.Loop() {
		call.Read(block, call.Place{Cwd: "/srv/app"})
	}
}

func BenchmarkReadBash(b *testing.B) {
	block := call.Shapes(`cd /srv/app && git -C repo log --oneline -n 20 "main..feature" | head -5; grep -rn 'TODO' src > /tmp/out`)[0]
	b.ReportAllocs()
	for b.Loop() {
		call.Read(&block, call.Place{Cwd: "/srv"})
	}
}
