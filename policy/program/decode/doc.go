// Package decode undoes what programs do to texts that are not to be read: escapes, base64,
// hexadecimal digits, compression and the like. Each function reports whether the text
// was one of its kind.
package decode
