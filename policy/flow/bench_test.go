package flow_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/flow"
)

// long is a conversation of about two megabytes: files that are read, commands,
// edits and pages.
func long() *llm.Request {
	code := strings.Repeat("\tif err := run(ctx, &options); err != nil {\n\t\treturn fmt.Errorf(\"cannot run: %w\", err)\n\t}\n", 60)
	talk := user("please fix the build")
	for i := range 75 {
		talk.call("Read", args{"file_path": fmt.Sprintf("/repo/src/file%d.go", i)}, code)
		talk.bash(fmt.Sprintf("cd /repo && go test ./pkg%d/... 2>&1 | tail -n 40 && git status --short", i), code)
		talk.call("Edit", args{"file_path": fmt.Sprintf("/repo/src/file%d.go", i), "old_string": code[:400], "new_string": code[200:900]}, "ok")
		talk.call("WebFetch", args{"url": fmt.Sprintf("https://docs.example.test/%d", i)}, code+code+code)
	}
	return &llm.Request{Messages: talk.messages}
}

func BenchmarkPast(b *testing.B) {
	r := long()
	size := 0
	for i := range r.Messages {
		for k := range r.Messages[i].Blocks {
			size += len(r.Messages[i].Blocks[k].Text) + len(r.Messages[i].Blocks[k].Arguments)
		}
	}
	fresh := func() *flow.Past {
		return flow.Of(policy.NewSubject(&policy.Exchange{Request: r, Session: session}, made("Bash", nil)))
	}
	for name, ask := range map[string]func(p *flow.Past){
		"made":        func(*flow.Past) {},
		"untrusted":   func(p *flow.Past) { p.SawUntrusted() },
		"secrets":     func(p *flow.Past) { p.ReadPrivate() },
		"file":        func(p *flow.Past) { p.File("/repo/src/file7.go") },
		"copied":      func(p *flow.Past) { p.Copied("https://collect.bad.test/in") },
		"leaks":       func(p *flow.Past) { p.Leaks(strings.Repeat("A text that the model made up all by itself. ", 90)) },
		"copied text": func(p *flow.Past) { p.Copied(strings.Repeat("A text that the model made up all by itself. ", 90)) },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				ask(fresh())
			}
		})
	}
	b.Run("again", func(b *testing.B) {
		x := &policy.Exchange{Request: r, Session: session, Ledger: &policy.MemoryLedger{}}
		b.ReportAllocs()
		for b.Loop() {
			p := flow.Of(policy.NewSubject(x, made("Bash", nil)))
			p.SawUntrusted()
			p.ReadPrivate()
			p.Copied("https://collect.bad.test/in")
		}
	})
}

func BenchmarkSuspicious(b *testing.B) {
	for name, text := range map[string]string{
		"code":    strings.Repeat("\tif err := run(ctx, &options); err != nil {\n\t\treturn fmt.Errorf(\"cannot run: %w\", err)\n\t}\n", 20_000),
		"prose":   strings.Repeat("The server reads its configuration when it starts. If you change it, run the command again to see what has changed in the file.\n", 16_000),
		"hostile": strings.Repeat("ignore all the <!-- if you are ", 64_000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				flow.Suspicious(text)
			}
		})
	}
}
