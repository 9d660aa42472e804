package rule

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// functionNames are the functions that a mistyped name is compared with.
var functionNames = func() map[string]bool {
	set := make(map[string]bool)
	for name := range strings.FieldsSeq(`is flag has under glob host touches carries within outside suspicious copied leaks contains startsWith endsWith matches size exists all
		exists_one filter map join split replace trim lowerAscii upperAscii substring indexOf lastIndexOf charAt format
		quote reverse int uint double string bool bytes timestamp duration type dyn getHours getMinutes getSeconds
		getDayOfWeek getDayOfMonth getDayOfYear getMonth getFullYear getDate getMilliseconds`) {
		set[name] = true
	}
	return set
}()

func keys(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }

// didYouMean suggests the nearest of the known names, or lists them if none is
// near and they are few.
func didYouMean(name string, known []string) string {
	known = slices.Sorted(slices.Values(known))
	switch best := nearest(name, known); {
	case best != "":
		return fmt.Sprintf("did you mean %q?", best)
	case len(known) > 0 && len(known) <= 16:
		return "use one of " + strings.Join(known, ", ")
	default:
		return ""
	}
}

// nearest is the known name that was most likely meant, empty if none is close.
func nearest(name string, known []string) string {
	best, distance := "", 1+max(1, len([]rune(name))/3)
	for _, k := range known {
		if d := editDistance(strings.ToLower(name), strings.ToLower(k), distance); d < distance {
			best, distance = k, d
		}
	}
	return best
}

// editDistance is the number of characters to insert, delete, replace or swap,
// at most limit.
func editDistance(a, b string, limit int) int {
	s, t := []rune(a), []rune(b)
	if len(s)-len(t) >= limit || len(t)-len(s) >= limit {
		return limit
	}
	before, row := make([]int, len(t)+1), make([]int, len(t)+1)
	next := make([]int, len(t)+1)
	for j := range row {
		row[j] = j
	}
	for i := range s {
		next[0] = i + 1
		for j := range t {
			change := row[j]
			if s[i] != t[j] {
				change++
			}
			next[j+1] = min(change, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && s[i] == t[j-1] && s[i-1] == t[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row, next = row, next, before
	}
	return min(row[len(t)], limit)
}
