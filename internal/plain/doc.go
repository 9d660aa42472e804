// Package plain says errors of the operating system and the network in words that
// people understand: "nobody listens at 127.0.0.1:8484" instead of a line that
// begins with dial tcp.
package plain
