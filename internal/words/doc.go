// Package words helps with messages about unknown words: what the user may have meant,
// and which words there are.
package words
