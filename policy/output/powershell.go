package output

import (
	"regexp"
	"strings"

	"github.com/sluice-project/sluice/policy/invocation"
)

// windowsPrints reports whether a line for PowerShell or cmd, in lower case, prints
// what it reads: it does unless every statement that reads ends in something that is
// known to print nothing.
func windowsPrints(line string) bool {
	for _, statement := range outside(line, ";\n") {
		if invocation.ContainsAny(statement, windowsReaders) && !printsNothing(statement) {
			return true
		}
	}
	return false
}

var windowsReaders = []string{"get-content", "gc ", "cat ", "type ", "more ", "select-string", "sls ", "findstr", "readalltext", "readalllines", "format-hex"}

// What ends a pipeline and prints nothing of what comes in: a cmdlet, a file, or a block
// that only keeps what it is given.
var (
	endsQuietly  = regexp.MustCompile(`^(out-null|measure-object|measure|set-content|sc|out-file)\b|^(select-string|sls)\b.* -quiet$`)
	intoFile     = regexp.MustCompile(`(^|[^0-9>&*])>{1,2} *[^&> ]+$`)
	eachQuietly  = regexp.MustCompile(`^(?:foreach-object|foreach|%) *\{(.*)\}$`)
	ifQuietly    = regexp.MustCompile(`^if *\([^{}]*\) *\{(.*)\}$`)
	keepsQuietly = regexp.MustCompile(`^\$[\w:,$ ]+ *= *[^;{}]*$|^\[(system\.)?environment\]::setenvironmentvariable\([^;{}]*\)$|^\$_\.split\('='\)\[0\]$`)
)

func printsNothing(statement string) bool {
	if strings.ContainsAny(statement, "#`&") {
		return false
	}
	stages := outside(statement, "|")
	last := strings.TrimSpace(stages[len(stages)-1])
	if intoFile.MatchString(last) {
		return true
	}
	if each := eachQuietly.FindStringSubmatch(last); each != nil && len(stages) > 1 {
		return keeps(each[1], 0)
	}
	return endsQuietly.MatchString(last) && (len(stages) > 1 || strings.HasSuffix(last, "-quiet"))
}

// keeps reports whether every statement of a block only keeps what it is given.
func keeps(block string, depth int) bool {
	for _, statement := range outside(block, ";\n") {
		statement = strings.TrimSpace(statement)
		if inner := ifQuietly.FindStringSubmatch(statement); inner != nil && depth < 2 {
			if !keeps(inner[1], depth+1) {
				return false
			}
		} else if statement != "" && !keepsQuietly.MatchString(statement) {
			return false
		}
	}
	return true
}

// outside cuts a line at signs that stand in no brackets and no quotes.
func outside(line, signs string) []string {
	var parts []string
	depth, start, quote := 0, 0, byte(0)
	for i := range len(line) {
		switch c := line[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case strings.IndexByte("({[", c) >= 0:
			depth++
		case strings.IndexByte(")}]", c) >= 0:
			depth--
		case depth == 0 && strings.IndexByte(signs, c) >= 0:
			parts = append(parts, line[start:i])
			start = i + 1
		}
	}
	return append(parts, line[start:])
}
