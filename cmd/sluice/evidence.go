package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/sluice-project/sluice/connect"
)

// evidence is what is known about a run in which no request was judged: did the
// program bypass the gateway, or did it ask no model at all?
type evidence struct {
	client  connect.Client
	purpose connect.Purpose
	// terminal: a person may have sat at it and never entered a prompt.
	terminal bool
	// reached: the program sent the gateway something else, so it does use the
	// gateway.
	reached bool
	lasted  time.Duration
}

// shortVisit is less time than a person needs to type a prompt, read an answer
// and leave.
const shortVisit = 5 * time.Second

// alarming reports whether it must be assumed that the program bypassed the
// gateway. An agent with a prompt, and an unknown program, are started to ask a
// model: then silence is an alarm, whatever the exit code.
func (e evidence) alarming() bool {
	switch {
	case e.purpose == connect.Manage:
		return false
	case e.purpose == connect.Talk && e.terminal:
		return !e.reached && e.lasted >= shortVisit
	}
	return true
}

// alarm says what is wrong and what to do.
func (e evidence) alarm(code int, log string) string {
	var b strings.Builder
	b.WriteString("sluice: NOT PROTECTED: no request went through Sluice\n")
	doctor := "sluice doctor --run"
	if e.client.Known() {
		doctor += " " + e.client.Name
	}
	switch {
	case e.purpose == connect.Talk && e.terminal:
		b.WriteString("sluice: if you asked the model anything, the program did not use the gateway")
	case code != exitOK:
		fmt.Fprintf(&b, "sluice: the program ended with %d, perhaps before it asked a model; if it asked one, it did not use the gateway", code)
	default:
		b.WriteString("sluice: the program did not use the gateway")
	}
	fmt.Fprintf(&b, "; `%s` says more", doctor)
	if log != "" {
		b.WriteString(", the log is " + log)
	}
	return b.String() + "\n"
}

// isTerminal reports whether a person types the input.
func isTerminal(in io.Reader) bool {
	file, ok := in.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}
