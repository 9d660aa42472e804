package main

import (
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
)

// printTable writes the results for people.
func printTable(w io.Writer, rs results, fs []figureRow, rounds int) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Cost of one chunk; median of %d interleaved rounds [min-max]. %s, %s/%s, %d CPUs.\n",
		rounds, runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	fmt.Fprintf(&b, "ns is time, cpu ns processor time on all cores; x sluice the median of the ratios of cpu ns in the rounds,\n"+
		"x host the same for hosts with an engine, in units of the host without one.\n\n")
	t := newGrid("stream", "chunks", "contender", "ns", "cpu ns", "[min-max]", "x sluice", "x host", "B", "allocs")
	last := ""
	for _, r := range rs {
		stream, chunks := r.Stream, strconv.Itoa(r.Chunks)
		if stream == last {
			stream, chunks = "", ""
		} else if last != "" {
			t.add()
		}
		last = r.Stream
		ratio := ""
		if r.Ratio > 0 && r.role != ours {
			ratio = fmt.Sprintf("%.2f", r.Ratio)
		}
		host := ""
		if r.Host > 0 {
			host = fmt.Sprintf("%.2f", r.Host)
		}
		t.add(stream, chunks, r.Contender, fmt.Sprintf("%.0f", r.Cost.NS.Median), fmt.Sprintf("%.0f", r.Cost.CPU.Median),
			fmt.Sprintf("[%.0f-%.0f]", r.Cost.CPU.Min, r.Cost.CPU.Max), ratio, host,
			fmt.Sprintf("%.0f", r.Cost.Bytes), fmt.Sprintf("%.3f", r.Cost.Allocs))
	}
	t.print(&b)
	printGrowth(&b, rs)
	printFigures(&b, fs)
	printTargets(&b, judge(rs, fs))
	_, err := io.WriteString(w, b.String())
	return err
}

func printGrowth(b *strings.Builder, rs results) {
	list := rs.growth()
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(b, "\nGrowth of the cost of one chunk from %d to %d chunks, and what each further chunk allocates.\n\n",
		list[0].From, list[0].To)
	t := newGrid("stream", "contender", "cpu ns", "B", "allocs")
	last := ""
	for _, g := range list {
		family := g.Family
		if family == last {
			family = ""
		}
		last = g.Family
		t.add(family, g.Contender, fmt.Sprintf("x%.2f", g.NS), fmt.Sprintf("x%.2f", g.Bytes), fmt.Sprintf("%.4f", g.Allocs))
	}
	t.print(b)
}

// printFigures writes what was measured as a whole.
func printFigures(b *strings.Builder, fs []figureRow) {
	if len(fs) == 0 {
		return
	}
	fmt.Fprintf(b, "\nBy themselves: processor time of one decision with the recommended policies, and of a text that streams\nthrough patterns which find nothing in it.\n\n")
	t := newGrid("contender", "cpu us", "[min-max]", "MB/s")
	for _, f := range fs {
		mbs := ""
		if f.MBs > 0 {
			mbs = fmt.Sprintf("%.0f", f.MBs)
		}
		t.add(f.Name, fmt.Sprintf("%.1f", f.CPU.Median/1e3), fmt.Sprintf("[%.1f-%.1f]", f.CPU.Min/1e3, f.CPU.Max/1e3), mbs)
	}
	t.print(b)
}

// printTargets writes the targets and what was measured.
func printTargets(b *strings.Builder, targets []target) {
	fmt.Fprintf(b, "\nTargets. Those about clients and hosts are judged over all recorded streams, the others by their\nworst stream of at least %d chunks.\n\n", enoughChunks)
	for _, t := range targets {
		switch {
		case !t.Measured:
			fmt.Fprintf(b, "  ----  %s: not measured\n", t.Name)
		case t.Met:
			fmt.Fprintf(b, "  pass  %s: %s\n", t.Name, t.Said)
		default:
			fmt.Fprintf(b, "  FAIL  %s: %s\n", t.Name, t.Said)
		}
	}
}
