// Package words helps messages to people about words that are not known: what
// they may have meant, and what there is.
package words
