package secret_test

import (
	"os"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/secret"
	"github.com/sluice-project/sluice/policy/text"
)

// Clean texts of the kinds that agents read and write.
const (
	prose = `The gateway reads the answer block by block, and nothing leaves before it was judged. If a tool call looks
dangerous, the policy explains why and the model gets another chance; that is cheaper than an incident. A token is
counted once, a password never leaves the client, and a secret is replaced before the provider sees it.
`
	logs = `{"time":"2026-03-02T10:11:12.345Z","level":"info","msg":"request done","method":"POST","path":"/v1/messages","status":200,"ms":812,"trace":"4bf92f3577b34da6a3ce929d0e0e4736","input_tokens":1821,"output_tokens":402,"user":"u_19402"}
{"time":"2026-03-02T10:11:13.001Z","level":"warn","msg":"retrying","attempt":2,"host":"api-3.internal.example","commit":"9fceb02d0ae598e95dc970b74767f19372d61af8","id":"3f2504e0-4f89-41d3-9a0c-0305e82c3301"}
`
	lock = `    "node_modules/left-pad": {
      "version": "1.3.0",
      "resolved": "https://registry.npmjs.org/left-pad/-/left-pad-1.3.0.tgz",
      "integrity": "sha512-XI5MPzVNApjAyhQzphX8BkmKsKUxD4LdyK24iZeQGinBN9yTQT3bFlCBy/aVx2HrNcqQGsdot8ghrjyrvMCoEA=="
    },
`
)

func source(tb testing.TB) string {
	tb.Helper()
	var b strings.Builder
	for _, name := range []string{"../text/stage.go", "../text/rule.go", "../text/automaton.go", "../action.go", "../engine.go"} {
		data, err := os.ReadFile(name)
		if err != nil {
			tb.Skip("no source to read: ", err)
		}
		b.Write(data)
	}
	return b.String()
}

func sized(s string, size int) string { return strings.Repeat(s, size/len(s)+1)[:size] }

func BenchmarkFindClean(b *testing.B) {
	for _, bc := range []struct{ name, text string }{
		{"prose", prose}, {"logs", logs}, {"lock", lock}, {"source", source(b)},
		{"encoded", `{"encrypted_content": "` + urlSafe(1<<19) + `", "image": "` + base64s(1<<19-100) + `"}`},
		{"mixed", prose + logs + lock + source(b)},
	} {
		b.Run(bc.name, func(b *testing.B) {
			data := sized(bc.text, 1<<20)
			secret.Find(data)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if found := secret.Find(data); len(found) > 0 {
					b.Fatalf("found %v", found)
				}
			}
		})
	}
}

// hostile is dense with keywords and near misses.
const hostile = `password=secret=token=api_key=AKIA12 ghp_abc sk-proj- token: "x1" secret = abcdefgh12; eyJhbGciOiJ.eyJ glpat-1 datadog_key=1f234567890 ` +
	`password: "changeme1234" token=token_password_1234_secret=1234token "api_key_secret_token_password-": "12345678x" ://a:b1cdefg@h `

func BenchmarkFindHostile(b *testing.B) {
	for _, size := range []int{1 << 18, 1 << 19} {
		b.Run(map[int]string{1 << 18: "256KiB", 1 << 19: "512KiB"}[size], func(b *testing.B) {
			data := sized(hostile, size)
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				secret.Find(data)
			}
		})
	}
}

func BenchmarkFind4KiB(b *testing.B) {
	data := sized(prose+logs+source(b), 4<<10)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		secret.Find(data)
	}
}

func BenchmarkInFlight(b *testing.B) {
	chain, err := text.Compile(secret.NewRedactor(nil).Rules()...)
	if err != nil {
		b.Fatal(err)
	}
	data := []byte(sized(prose+source(b), 1<<20))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		s := chain.NewStream(text.StreamOptions{})
		for at := 0; at < len(data); at += 16 {
			s.Write(data[at:min(len(data), at+16)])
			s.Pieces()
		}
		s.End()
	}
}
