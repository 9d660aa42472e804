package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/sluice-project/sluice/connect"
)

// evidence is what is known of a run of which no request was judged: did the
// program ask a model past the gateway, or none at all?
type evidence struct {
	client  connect.Client
	purpose connect.Purpose
	// terminal: a person sat before it, so that a command line without a prompt
	// may have been without one to the end.
	terminal bool
	// reached: the program sent the gateway something else, so it was led there.
	reached bool
	lasted  time.Duration
}

// shortVisit is less time than a person needs to type a prompt, read an answer
// and leave.
const shortVisit = 5 * time.Second

// alarming reports whether the program has to be taken for one that went past the
// gateway. Whoever starts an agent with a prompt, or a program that nobody knows,
// wants a model to be asked: then silence is an alarm, whatever the exit code.
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
	b.WriteString("sluice: NOT PROTECTED: no request passed Sluice\n")
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
