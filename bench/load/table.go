package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
)

// printTable writes the figures for people.
func printTable(w io.Writer, b *board, list []mode, rounds int) error {
	_, err := fmt.Fprintf(w, "The gateway beside the floor and no proxy; median of %d interleaved rounds [min-max], x is the median of the ratios\nto the floor in the rounds. %s, %s/%s, %d CPUs.\n",
		rounds, runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	if err != nil {
		return err
	}
	for _, m := range list {
		if _, err := fmt.Fprintf(w, "\n%s (%s)\n\n", m.title, m.name); err != nil {
			return err
		}
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		_, _ = fmt.Fprintln(t, "\t"+strings.Join(m.figures, "\t")+"\t")
		for _, target := range []string{direct, floor, sluice} {
			cells := make([]string, len(m.figures))
			some := false
			for i, figure := range m.figures {
				cells[i] = cellOf(b, m.name, target, figure)
				some = some || cells[i] != ""
			}
			if some {
				_, _ = fmt.Fprintln(t, target+"\t"+strings.Join(cells, "\t")+"\t")
			}
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// cellOf is one figure with its range and, for the gateway, its ratio.
func cellOf(b *board, mode, target, figure string) string {
	s := b.find(mode, target, figure)
	if s == nil || slices.Max(s.Rounds) == 0 {
		return ""
	}
	text := number(s.Median)
	if len(s.Rounds) > 1 {
		text += fmt.Sprintf(" [%s-%s]", number(slices.Min(s.Rounds)), number(slices.Max(s.Rounds)))
	}
	if base := b.find(mode, floor, figure); target == sluice && base != nil && slices.Min(base.Rounds) > 0 {
		text += fmt.Sprintf(" x%.2f", b.ratio(mode, target, figure))
	}
	return text
}

// number keeps three digits.
func number(x float64) string {
	switch {
	case x >= 100 || x <= -100:
		return fmt.Sprintf("%.0f", x)
	case x >= 10 || x <= -10:
		return fmt.Sprintf("%.1f", x)
	default:
		return fmt.Sprintf("%.2f", x)
	}
}

// printPromises writes the targets and what was measured.
func printPromises(w io.Writer, list []promise) error {
	var b strings.Builder
	b.WriteString("\nTargets\n\n")
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
