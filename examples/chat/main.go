package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

func main() {
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	world := world{in: os.Stdin, out: os.Stdout, errors: os.Stderr, interrupts: interrupts, terminal: isTerminal(os.Stdin)}
	world.colours = isTerminal(os.Stdout) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	os.Exit(run(context.Background(), world, os.Args[1:]))
}

// world is the program's environment: its arguments, input and output.
type world struct {
	in          io.Reader
	out, errors io.Writer
	interrupts  <-chan os.Signal
	// terminal: a person types, and sees what they type.
	terminal bool
	colours  bool
}

// run is the program. It returns its exit code.
func run(ctx context.Context, w world, arguments []string) int {
	o, err := parse(arguments, w.errors)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2 // the error was printed with the usage
	}
	if err := chat(ctx, w, o); err != nil {
		_, _ = fmt.Fprintln(w.errors, "chat:", err)
		return 1
	}
	return 0
}

// isTerminal reports whether a file is a terminal.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
