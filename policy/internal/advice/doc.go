// Package advice says what is wrong with a condition before it is evaluated: names and
// types that do not exist, comparisons with texts that nothing ever is, and what a
// condition probably does not mean. Each message has a position in the source and, where
// one is known, a suggestion.
//
// It knows the Variables, types and functions of conditions, and nothing of how they are
// evaluated; see package rule.
package advice
