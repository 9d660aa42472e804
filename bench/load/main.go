package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"time"
)

func main() {
	var err error
	if len(os.Args) > 1 && os.Args[1] == roleFlag {
		err = play(os.Args[2:], os.Stdin, os.Stdout)
	} else {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		err = run(ctx, os.Args[1:], os.Stdout, os.Stderr)
		stop()
	}
	if err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "load:", err)
		}
		os.Exit(1)
	}
}

// options are what the command line says.
type options struct {
	rounds  int
	window  time.Duration
	mode    string
	profile string
	quick   bool
	full    bool
	json    bool
	noise   bool
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("load", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&o.rounds, "rounds", 5, "how often each target is measured in each mode")
	flags.DurationVar(&o.window, "window", 2*time.Second, "how long one measurement lasts")
	flags.StringVar(&o.mode, "mode", "", "only modes whose names contain this")
	flags.StringVar(&o.profile, "profile", "", "write profiles of the proxies in the last round to this directory")
	flags.BoolVar(&o.quick, "quick", false, "one short round that judges no figure: does everything run without an error?")
	flags.BoolVar(&o.full, "full", false, "5,000 idle streams too")
	flags.BoolVar(&o.noise, "noise", false, "measure the floor in the gateway's place: what the machine makes of equal things")
	flags.BoolVar(&o.json, "json", false, "print JSON instead of the table")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("what is %q? all is said with flags", flags.Arg(0))
	}
	if o.quick {
		o.rounds, o.window = 1, 300*time.Millisecond
	}
	if o.rounds < 1 {
		return o, errors.New("-rounds must be at least 1")
	}
	return o, nil
}

// bench is a run: the processes, and what was measured.
type bench struct {
	options   options
	window    time.Duration
	stderr    io.Writer
	upstream  *process
	targets   []target
	scripts   map[string]*script
	transport *http.Transport
	board     *board
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	chosen := modes(o)
	if len(chosen) == 0 {
		return errors.New("no mode has this in its name")
	}
	b := &bench{options: o, window: o.window, stderr: stderr, scripts: scripts(), transport: newTransport(), board: &board{}}
	if b.upstream, err = b.start(ctx, roleUpstream, "", "", false); err != nil {
		return err
	}
	defer b.upstream.stop()
	list, stop, err := b.proxies(ctx, b.upstream.URL, "")
	defer stop()
	if err != nil {
		return err
	}
	b.targets = append([]target{{name: direct, url: b.upstream.URL}}, list...)
	if err := b.warm(ctx); err != nil {
		return err
	}
	for round := range o.rounds {
		for _, m := range chosen {
			_, _ = fmt.Fprintf(stderr, "round %d of %d: %s\n", round+1, o.rounds, m.name)
			if err := m.round(ctx, b, m, round); err != nil {
				return err
			}
		}
	}
	return b.report(stdout, chosen)
}

// warm opens connections and lets every target answer once before anything
// counts. What goes wrong here would go wrong again.
func (b *bench) warm(ctx context.Context) error {
	for _, t := range b.targets {
		for _, model := range []string{modelTurn, modelAnthropic, modelPlain} {
			w, err := b.measure(ctx, t, load{script: b.scripts[model], streams: crowd, count: 2})
			if err != nil {
				return err
			}
			b.board.fail("warm-up", t.name, w.errors, w.err)
		}
	}
	return nil
}

func (b *bench) report(w io.Writer, list []mode) error {
	promises := judge(b.board, len(b.scripts[modelIdle].request))
	if b.options.quick { // one short round says nothing about speed
		promises = promises[len(promises)-1:]
	}
	if b.options.json {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		if err := enc.Encode(map[string]any{"rounds": b.options.rounds, "figures": b.board.list, "targets": promises}); err != nil {
			return err
		}
	} else if err := errors.Join(printTable(w, b.board, list, b.options.rounds), printPromises(w, promises)); err != nil {
		return err
	}
	for _, p := range promises {
		if p.Measured && !p.Met {
			return fmt.Errorf("a target is missed: %s: %s", p.Name, p.Said)
		}
	}
	return nil
}
