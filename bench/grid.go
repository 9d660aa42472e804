package main

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// grid is a table of text. Names are on the left of their column, everything
// else, which is figures, on the right.
type grid struct {
	rows  [][]string
	names []string // columns whose values are names
}

func newGrid(columns ...string) *grid {
	return &grid{rows: [][]string{columns}, names: []string{"stream", "contender"}}
}

// add appends a row; without cells it is an empty line.
func (g *grid) add(cells ...string) { g.rows = append(g.rows, cells) }

func (g *grid) print(b *strings.Builder) {
	columns := g.rows[0]
	widths := make([]int, len(columns))
	for _, cells := range g.rows {
		for i, cell := range cells {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, cells := range g.rows {
		var line strings.Builder
		for i, cell := range cells {
			fill := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if slices.Contains(g.names, columns[i]) {
				line.WriteString(cell + fill + "  ")
			} else {
				line.WriteString(fill + cell + "  ")
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}
