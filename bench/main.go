package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/pprof"
	"strings"
	"time"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "bench:", err)
		}
		os.Exit(1)
	}
}

// options are what the command line says.
type options struct {
	rounds     int
	atLeast    time.Duration
	stream     string
	contender  string
	cpuProfile string
	json       bool
	check      bool
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&o.rounds, "rounds", 7, "how often each contender is measured on each stream")
	flags.DurationVar(&o.atLeast, "atleast", 25*time.Millisecond, "about how long one measurement lasts")
	flags.StringVar(&o.stream, "stream", "", "measure only streams whose names contain this")
	flags.StringVar(&o.contender, "contender", "", "measure only contenders whose names contain this")
	flags.StringVar(&o.cpuProfile, "cpuprofile", "", "write a CPU profile of the rounds to this file")
	flags.BoolVar(&o.json, "json", false, "print JSON instead of the table")
	flags.BoolVar(&o.check, "check", false, "exit with status 1 if a target is not met")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if o.rounds < 1 {
		return o, errors.New("-rounds must be at least 1")
	}
	return o, nil
}

func run(args []string, stdout, stderr io.Writer) (err error) {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	loads, err := recordedLoads(corpusDir(stderr))
	if err != nil {
		return err
	}
	cells := o.cells(append(generatedLoads(), loads...))
	figures := o.figures()
	if len(cells)+len(figures) == 0 {
		return errors.New("no stream, figure and contender match -stream and -contender")
	}
	if o.cpuProfile != "" {
		f, createErr := os.Create(o.cpuProfile)
		if createErr != nil {
			return fmt.Errorf("write the profile: %w", createErr)
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		if err := pprof.StartCPUProfile(f); err != nil {
			return fmt.Errorf("write the profile: %w", err)
		}
		defer pprof.StopCPUProfile()
	}
	for round := range o.rounds {
		measureRound(cells, round)
		for _, f := range figures {
			f.measure()
		}
		_, _ = fmt.Fprintf(stderr, "round %d of %d\n", round+1, o.rounds)
	}
	return o.report(stdout, collect(cells), collectFigures(figures))
}

// cells pairs streams and contenders, grouped by stream.
func (o options) cells(loads []load) []*cell {
	var list []*cell
	for _, l := range loads {
		if !strings.Contains(l.name, o.stream) {
			continue
		}
		for _, c := range contenders() {
			if c.reads(l.format) && strings.Contains(c.name, o.contender) {
				list = append(list, newCell(l, c, o.atLeast))
			}
		}
	}
	return list
}

// measureRound measures every cell once. The contenders of one stream follow
// each other, in turn forwards and backwards, so that none always runs after
// the same other.
func measureRound(cells []*cell, round int) {
	for i := range cells {
		if round%2 == 1 {
			i = len(cells) - 1 - i
		}
		cells[i].measure()
	}
	for pass := range hostPasses {
		measureHosts(cells, pass)
	}
}

// hostPasses is how many more times hosts are measured in a round: what an
// engine adds is small compared with the machine's noise.
const hostPasses = 6

// measureHosts measures the hosts on all recorded streams, one after the other.
func measureHosts(cells []*cell, pass int) {
	for i := range cells {
		if pass%2 == 0 {
			i = len(cells) - 1 - i
		}
		x := cells[i]
		if role := x.contender.role; (role == plain || role == engine) && strings.HasPrefix(x.load.name, allPrefix) {
			x.measure()
		}
	}
}

func (o options) report(w io.Writer, rs results, fs []figureRow) error {
	targets := judge(rs, fs)
	if o.json {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		if err := enc.Encode(map[string]any{"rounds": o.rounds, "rows": rs, "growth": rs.growth(), "figures": fs, "targets": targets}); err != nil {
			return err
		}
	} else if err := printTable(w, rs, fs, o.rounds); err != nil {
		return err
	}
	if !o.check {
		return nil
	}
	for _, t := range targets {
		if t.Measured && !t.Met {
			return fmt.Errorf("a target is not met: %s: %s", t.Name, t.Said)
		}
	}
	return nil
}

// corpusDir returns the directory of recorded streams, empty if there is none.
func corpusDir(stderr io.Writer) string {
	if dir := os.Getenv("SLUICE_CORPUS"); dir != "" {
		return dir
	}
	_, _ = fmt.Fprintln(stderr, "SLUICE_CORPUS is not set: only generated streams are measured")
	return ""
}

// must stops the run: a contender that cannot read a stream measures nothing.
func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench: a stream could not be read:", err)
		os.Exit(1)
	}
}
