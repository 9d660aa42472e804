package connect

import (
	"regexp"
	"slices"
	"strings"
)

// Diff formats the change for people: removed lines begin with -, added ones
// with +. Keys and tokens are not shown, and of the unchanged lines only those
// around a change are.
func (e Edit) Diff() string {
	if !e.Changes() {
		return ""
	}
	before, after := lines(e.Before), lines(e.After)
	from := "/dev/null"
	if e.Before != nil {
		from = e.Path
	}
	var b strings.Builder
	b.WriteString("--- " + from + "\n+++ " + e.Path + "\n")
	marked := compare(before, after)
	shown := make([]bool, len(marked))
	for i, line := range marked {
		if line[0] != ' ' {
			for n := max(0, i-diffContext); n <= min(len(marked)-1, i+diffContext); n++ {
				shown[n] = true
			}
		}
	}
	for i, line := range marked {
		switch {
		case shown[i]:
			b.WriteString(withoutSecrets(line) + "\n")
		case i > 0 && shown[i-1]:
			b.WriteString("  ...\n")
		}
	}
	return b.String()
}

// diffContext is how many lines are shown around a change.
const diffContext = 2

func lines(data []byte) []string {
	if len(data) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n"), "\n")
}

// maxCompared is how many lines are compared; longer texts are shown as
// replaced.
const maxCompared = 2000

// compare finds the smallest set of removed and added lines.
func compare(a, b []string) []string {
	var head, tail []string
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		head, a, b = append(head, " "+a[0]), a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		tail, a, b = append([]string{" " + a[len(a)-1]}, tail...), a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) > maxCompared || len(b) > maxCompared {
		return append(append(append(head, prefixed("-", a)...), prefixed("+", b)...), tail...)
	}
	// common[i][j] is how many lines a[i:] and b[j:] have in common.
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i, v := range slices.Backward(a) {
		for j := len(b) - 1; j >= 0; j-- {
			if v == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			head = append(head, " "+a[i])
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || common[i+1][j] >= common[i][j+1]):
			head = append(head, "-"+a[i])
			i++
		default:
			head = append(head, "+"+b[j])
			j++
		}
	}
	return append(head, tail...)
}

func prefixed(mark string, list []string) []string {
	out := make([]string, 0, len(list))
	for _, line := range list {
		out = append(out, mark+line)
	}
	return out
}

// secretLine matches a line that sets something named like a secret.
var secretLine = regexp.MustCompile(`(?i)^(.*(?:key|token|secret|password|passwd|credential|authorization)[\w-]*["']?\s*[:=]\s*["']?)([^"',}\]]+)(.*)$`)

// withoutSecrets hides the value of such a line.
func withoutSecrets(line string) string { return secretLine.ReplaceAllString(line, "${1}…${3}") }
