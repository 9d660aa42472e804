package main

import (
	"bytes"
	"context"
	"io"
	"iter"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/stream"
)

// person is somebody at a terminal in a bubble.
type person struct {
	keyboard   *io.PipeWriter
	screen     bytes.Buffer
	interrupts chan os.Signal
	left       chan error
}

func sitDown(t *testing.T, m model.Model) *person {
	t.Helper()
	in, keyboard := io.Pipe()
	p := &person{keyboard: keyboard, interrupts: make(chan os.Signal, 1), left: make(chan error, 1)}
	t.Cleanup(func() { _ = in.Close() })
	w := world{in: in, out: &p.screen, errors: &p.screen, interrupts: p.interrupts, terminal: true}
	o := &options{model: m, modelName: "test", conversation: "c", policies: []string{"preset:recommended"}, dir: t.TempDir(), mode: agent.All, shell: true}
	go func() { p.left <- chat(context.Background(), w, o) }()
	return p
}

func (p *person) types(line string) {
	_, _ = io.WriteString(p.keyboard, line+"\n")
	synctest.Wait()
}

func (p *person) pressesCtrlC() {
	p.interrupts <- os.Interrupt
	synctest.Wait()
}

// hasLeft waits for the end of the program.
func (p *person) hasLeft(t *testing.T) {
	t.Helper()
	select {
	case err := <-p.left:
		if err != nil {
			t.Error(err)
		}
	default:
		t.Errorf("the program goes on:\n%s", p.screen.String())
	}
	_ = p.keyboard.Close()
}

func TestCtrlCCancelsTheTurnAndThenLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := sitDown(t, scripted.New(
			scripted.Round{scripted.Text("It begins"), scripted.Pause(time.Hour), scripted.Text("never seen")},
			scripted.Round{scripted.Text("Here I am.")},
		))
		p.types("tell me")
		has(t, p.screen.String(), "It begins")
		p.pressesCtrlC()
		has(t, p.screen.String(), "It begins", "(cancelled)", "you> ")
		p.types("again")
		has(t, p.screen.String(), "(cancelled)", "Here I am.", "you> ")
		p.pressesCtrlC()
		p.hasLeft(t)
		if strings.Contains(p.screen.String(), "never seen") {
			t.Error(p.screen.String())
		}
	})
}

func TestCtrlCWhileThePersonIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := sitDown(t, scripted.New(
			scripted.Round{scripted.Call(shellName, `{"command":"touch ran"}`)},
			scripted.Round{scripted.Text("Here I am.")},
		))
		p.types("go")
		has(t, p.screen.String(), "run touch ran ? [y/N]")
		p.pressesCtrlC()
		has(t, p.screen.String(), "(cancelled)")
		p.types("y") // too late: it is a question now
		has(t, p.screen.String(), "Here I am.")
		p.pressesCtrlC()
		p.hasLeft(t)
	})
}

func TestTypingAheadAnswersNoQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := sitDown(t, scripted.New(
			scripted.Round{scripted.Pause(time.Minute), scripted.Call(shellName, `{"command":"echo ran"}`)},
			scripted.Round{scripted.Text("Fine.")},
		))
		p.types("go")
		p.types("y")
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		has(t, p.screen.String(), "run echo ran ? [y/N] ")
		p.types("no")
		has(t, p.screen.String(), "the person said no", "Fine.")
		p.pressesCtrlC()
		p.hasLeft(t)
	})
}

// stubborn is a model that takes its time to notice that nobody wants its answer.
type stubborn struct{ held chan struct{} }

func (s stubborn) Stream(ctx context.Context, _ *llm.Request) iter.Seq2[stream.Event, error] {
	return func(yield func(stream.Event, error) bool) {
		<-ctx.Done()
		<-s.held
		yield(stream.Event{}, context.Cause(ctx))
	}
}

func TestTheSecondCtrlCLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		held := make(chan struct{})
		p := sitDown(t, stubborn{held})
		p.types("go")
		p.pressesCtrlC()
		p.pressesCtrlC()
		close(held)
		synctest.Wait()
		p.hasLeft(t)
	})
}

func TestWhatFailsIsToldAndTheChatGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := sitDown(t, scripted.New(scripted.Round{scripted.Text("half"), scripted.Cut()}, scripted.Round{scripted.Text("whole")}))
		p.types("go")
		has(t, p.screen.String(), "error: ")
		p.types("go")
		has(t, p.screen.String(), "error: ", "whole")
		_ = p.keyboard.Close()
		synctest.Wait()
		p.hasLeft(t)
	})
}
