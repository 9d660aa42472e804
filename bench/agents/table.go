package main

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"text/tabwriter"
)

// printTable writes the figures for people.
func printTable(w io.Writer, rows []row, o options) error {
	_, err := fmt.Fprintf(w, "Cost of one round of an agent; median of %d interleaved rounds, in a process that holds %d MB. %s, %s/%s, %d CPUs.\n"+
		"10x3 is 10 rounds of 3 calls and an answer. us is time, cpu us processor time on all cores, model that of the\n"+
		"model and the tools alone, + what the loop adds, x the median of the ratios to sluice in the rounds.\n\n",
		o.rounds, o.ballast, runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(t, "script\tpath\tcontender\tus\tcpu us\t[min-max]\tmodel\t+us\t+cpu us\tallocs\tmodel\t+allocs\t+B\tx us\tx cpu\tx allocs\tx+ cpu\tx+ allocs\t")
	for i := range rows {
		r := &rows[i]
		script, way := r.Script, string(r.Path)
		if i > 0 && rows[i-1].Script == r.Script && rows[i-1].Path == r.Path {
			script, way = "", ""
		} else if i > 0 {
			_, _ = fmt.Fprintln(t, strings.Repeat("\t", 18))
		}
		ratios := strings.Repeat("\t", 5)
		if r.Ratio != (ratio{}) && r.Contender != nameSluice {
			ratios = fmt.Sprintf("%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t", r.Ratio.NS, r.Ratio.CPU, r.Ratio.Allocs, r.AddedRatio.CPU, r.AddedRatio.Allocs)
		}
		_, _ = fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t[%s-%s]\t%s\t%s\t%s\t%.0f\t%.0f\t%.0f\t%.0f\t%s\n",
			script, way, r.Contender, micros(r.Whole.NS.Median), micros(r.Whole.CPU.Median), micros(r.Whole.CPU.Min), micros(r.Whole.CPU.Max),
			micros(r.Bare.NS.Median), micros(r.Added.NS.Median), micros(r.Added.CPU.Median),
			r.Whole.Allocs, r.Bare.Allocs, r.Added.Allocs, r.Added.Bytes, ratios)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	return printGrowth(w, rows)
}

// printGrowth writes what each further round costs: that of short runs is mostly
// what a run costs once, that of long ones what their history does.
func printGrowth(w io.Writer, rows []row) error {
	_, err := fmt.Fprint(w, "\nWhat each further round with its calls costs, the model and the tools included.\n\n")
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(t, "from\tto\tpath\tcontender\tcpu us\tB\tallocs\t")
	for i := range rows {
		from, to := &rows[i], next(rows, &rows[i])
		if to == nil {
			continue
		}
		per := func(get func(cost) float64) float64 {
			return (get(to.Whole)*float64(to.Asks) - get(from.Whole)*float64(from.Asks)) / float64(to.Asks-from.Asks)
		}
		_, _ = fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%.0f\t%.0f\t\n", from.Script, to.Script, from.Path, from.Contender,
			micros(per(func(c cost) float64 { return c.CPU.Median })), per(func(c cost) float64 { return c.Bytes }), per(func(c cost) float64 { return c.Allocs }))
	}
	return t.Flush()
}

// next is the row with the next longer script of as many calls, nil if there is
// none.
func next(rows []row, of *row) *row {
	_, calls, _ := strings.Cut(of.Script, "x")
	for i := range rows {
		r := &rows[i]
		_, have, _ := strings.Cut(r.Script, "x")
		if have == calls && r.Path == of.Path && r.Contender == of.Contender && r.Asks > of.Asks {
			return r
		}
	}
	return nil
}

// micros keeps three digits.
func micros(ns float64) string {
	switch us := ns / 1e3; {
	case us >= 100:
		return fmt.Sprintf("%.0f", us)
	case us >= 10:
		return fmt.Sprintf("%.1f", us)
	default:
		return fmt.Sprintf("%.2f", us)
	}
}

// printPromises writes the targets and what was measured.
func printPromises(w io.Writer, list []promise) error {
	var b strings.Builder
	b.WriteString("\nTargets, judged by their worst script and path\n\n")
	for _, p := range list {
		switch {
		case !p.Measured:
			fmt.Fprintf(&b, "  ----  %s: not measured\n", p.Name)
		case p.Met:
			fmt.Fprintf(&b, "  pass  %s: %s\n", p.Name, p.Said)
		default:
			fmt.Fprintf(&b, "  FAIL  %s: %s\n", p.Name, p.Said)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
