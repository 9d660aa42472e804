package advice

import (
	"regexp/syntax"
	"slices"
	"strings"
)

// mostChoices bounds how often a regular expression is matched to find alternatives
// that match nothing.
const mostChoices = 256

// deadAlternative is an alternative of a regular expression with which it matches none
// of the values, empty if there is none: remove in ^(remove|write)$.
func deadAlternative(text string, values []string) string {
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return ""
	}
	var chosen, all []*syntax.Regexp
	alive := map[*syntax.Regexp]bool{}
	texts := map[*syntax.Regexp]string{}
	left := mostChoices
	var choose func()
	choose = func() {
		if left--; left < 0 {
			return
		}
		node := alternation(tree)
		if node == nil {
			one := tree.String()
			matches := slices.ContainsFunc(values, func(v string) bool { return hasPart(v, "matches", one) })
			for _, sub := range chosen {
				alive[sub] = alive[sub] || matches
				if texts[sub] == "" {
					texts[sub] = plainText(tree)
				}
			}
			return
		}
		whole := *node
		for _, sub := range whole.Sub {
			*node = *sub
			chosen = append(chosen, sub)
			choose()
			if chosen = chosen[:len(chosen)-1]; !slices.Contains(all, sub) {
				all = append(all, sub)
			}
		}
		*node = whole
	}
	choose()
	for _, sub := range all {
		if left >= 0 && !alive[sub] {
			return texts[sub]
		}
	}
	return ""
}

// alternation is the first part of a regular expression that has alternatives, nil if
// there is none.
func alternation(node *syntax.Regexp) *syntax.Regexp {
	if node.Op == syntax.OpAlternate {
		return node
	}
	for _, sub := range node.Sub {
		if found := alternation(sub); found != nil {
			return found
		}
	}
	return nil
}

// plainText is what a regular expression matches, as far as it is plain text.
func plainText(node *syntax.Regexp) string {
	var text strings.Builder
	if node.Op == syntax.OpLiteral {
		text.WriteString(string(node.Rune))
	}
	for _, sub := range node.Sub {
		text.WriteString(plainText(sub))
	}
	return text.String()
}
