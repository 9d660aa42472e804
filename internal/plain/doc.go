// Package plain turns errors of the operating system and the network into plain
// English: "nothing listens at 127.0.0.1:8484" instead of a line that starts with dial
// tcp.
package plain
