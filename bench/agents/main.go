package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/pprof"
	"strings"
	"time"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout, os.Stderr); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "agents:", err)
		}
		os.Exit(1)
	}
}

// options are what the command line says.
type options struct {
	rounds     int
	atLeast    time.Duration
	script     string
	path       string
	contender  string
	ballast    int
	cpuProfile string
	memProfile string
	json       bool
	quick      bool
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("agents", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&o.rounds, "rounds", 9, "how often each contender is measured on each script")
	flags.DurationVar(&o.atLeast, "atleast", 25*time.Millisecond, "about how long one measurement lasts")
	flags.StringVar(&o.script, "script", "", "measure only the script of this name, such as 10x3")
	flags.StringVar(&o.path, "path", "", "measure only this path: call, collect or stream")
	flags.StringVar(&o.contender, "contender", "", "measure only contenders whose names contain this")
	flags.IntVar(&o.ballast, "ballast", 32, "MB that the process holds beside, so that the garbage collector works as often as in a program of that size")
	flags.StringVar(&o.cpuProfile, "cpuprofile", "", "write a CPU profile of the rounds to this file")
	flags.StringVar(&o.memProfile, "memprofile", "", "write a profile of every allocation of the rounds to this file; times are wrong then")
	flags.BoolVar(&o.json, "json", false, "print JSON instead of the table")
	flags.BoolVar(&o.quick, "quick", false, "one short round: does everything run? No figure is judged")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("what is %q? all is said with flags", flags.Arg(0))
	}
	if o.quick {
		o.rounds, o.atLeast = 1, time.Millisecond
	}
	if o.rounds < 1 {
		return o, errors.New("-rounds must be at least 1")
	}
	if o.ballast < 0 {
		return o, errors.New("-ballast cannot be negative")
	}
	return o, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	cells, err := o.cells(ctx)
	if err != nil {
		return err
	}
	if len(cells) == 0 {
		return errors.New("no script, path and contender match -script, -path and -contender")
	}
	ballast := make([]byte, o.ballast<<20)
	defer runtime.KeepAlive(ballast)
	stop, err := o.profile()
	if err != nil {
		return err
	}
	for round := range o.rounds {
		measureRound(cells, round)
		_, _ = fmt.Fprintf(stderr, "round %d of %d\n", round+1, o.rounds)
	}
	return errors.Join(stop(), o.report(stdout, collect(cells)))
}

// cells pairs scripts, paths and contenders: contenders of one script and path
// follow each other.
func (o options) cells(ctx context.Context) ([]*cell, error) {
	var list []*cell
	for _, s := range scripts() {
		if o.script != "" && s.name != o.script {
			continue
		}
		var all []*cell
		for _, c := range contenders() {
			if !strings.Contains(c.name, o.contender) {
				continue
			}
			cells, err := newCells(ctx, c, s, o.atLeast)
			if err != nil {
				return nil, err
			}
			all = append(all, cells...)
		}
		for _, p := range paths() {
			for _, x := range all {
				if x.path == p && (o.path == "" || o.path == string(p)) {
					list = append(list, x)
				}
			}
		}
	}
	return list, nil
}

// measureRound measures every cell once, in turn forwards and backwards, so that
// none always runs after the same other.
func measureRound(cells []*cell, round int) {
	for i := range cells {
		if round%2 == 1 {
			i = len(cells) - 1 - i
		}
		cells[i].measure()
	}
}

// profile starts the requested profiles, and returns a function that ends
// them.
func (o options) profile() (stop func() error, err error) {
	var ends []func() error
	stop = func() error {
		var err error
		for _, end := range ends {
			err = errors.Join(err, end())
		}
		return err
	}
	if o.cpuProfile != "" {
		f, err := os.Create(o.cpuProfile)
		if err != nil {
			return nil, fmt.Errorf("write the profile: %w", err)
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			return nil, fmt.Errorf("write the profile: %w", errors.Join(err, f.Close()))
		}
		ends = append(ends, func() error {
			pprof.StopCPUProfile()
			return f.Close()
		})
	}
	if o.memProfile != "" {
		runtime.MemProfileRate = 1
		ends = append(ends, func() error {
			f, err := os.Create(o.memProfile) //nolint:gosec // whoever says which file may write it
			if err != nil {
				return fmt.Errorf("write the profile: %w", err)
			}
			runtime.GC() // what was allocated is known at the next collection
			return errors.Join(pprof.Lookup("allocs").WriteTo(f, 0), f.Close())
		})
	}
	return stop, nil
}

func (o options) report(w io.Writer, rows []row) error {
	var promises []promise
	if !o.quick { // one short round says nothing about speed
		promises = judge(rows)
	}
	if o.json {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		if err := enc.Encode(map[string]any{"rounds": o.rounds, "rows": rows, "targets": promises}); err != nil {
			return err
		}
	} else if err := errors.Join(printTable(w, rows, o), printPromises(w, promises)); err != nil {
		return err
	}
	for _, p := range promises {
		if p.Measured && !p.Met {
			return fmt.Errorf("a target is missed: %s: %s", p.Name, p.Said)
		}
	}
	return nil
}

// must stops the run: a loop that cannot run a script measures nothing.
func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "agents: a script could not be run:", err)
		os.Exit(1)
	}
}
