package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// profile writes what the gateway's processor time went to in the last round
// of a mode. The function it returns ends it.
func (b *bench) profile(ctx context.Context, m mode, t target, round int) (stop func()) {
	if b.options.profile == "" || t.process == nil || round != b.options.rounds-1 {
		return func() {}
	}
	if _, err := t.process.ask(ctx, "/cpu/start"); err != nil {
		return func() {}
	}
	return func() {
		text, err := t.process.ask(ctx, "/cpu/stop")
		b.save(m.name+"-"+t.name+".cpu", text, err)
		text, err = t.process.ask(ctx, "/profile/allocs") // of all modes up to here
		b.save(m.name+"-"+t.name+".allocs", text, err)
	}
}

// saveIdle writes what a process with idle streams keeps, and where it waits.
func (b *bench) saveIdle(ctx context.Context, m mode, round int, p *process) {
	if b.options.profile == "" || round != b.options.rounds-1 {
		return
	}
	for _, name := range []string{"heap", "goroutine"} {
		text, err := p.ask(ctx, "/profile/"+name)
		b.save(m.name+"-"+p.name+"."+name, text, err)
	}
}

func (b *bench) save(name string, text []byte, err error) {
	if err == nil {
		err = os.WriteFile(filepath.Join(b.options.profile, name), text, 0o600)
	}
	if err != nil {
		_, _ = fmt.Fprintln(b.stderr, "load: no profile:", err)
	}
}
