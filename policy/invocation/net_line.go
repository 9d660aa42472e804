package invocation

import (
	"strings"
)

// Takes are the flags of a program that have a value.
type Takes map[string]bool

// Valued lists flags with a value, without their dashes.
func Valued(names string) Takes {
	set := Takes{}
	for name := range strings.FieldsSeq(names) {
		set[name] = true
	}
	return set
}

// Quoted writes words as a shell would read them back.
func Quoted(words []string) string {
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = Quote(word)
	}
	return strings.Join(list, " ")
}
