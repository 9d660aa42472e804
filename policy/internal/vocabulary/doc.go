// Package vocabulary has the texts that can occur in a call: verbs, kinds, names of
// programs, flags, hosts. A condition that compares with another text never matches,
// and gets a message that says what to write instead.
package vocabulary
