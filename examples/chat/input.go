package main

import (
	"bufio"
	"context"
	"io"
)

// What may be typed: the length of a line, and lines ahead of those that were read.
const (
	longestLine = 1 << 20
	typedAhead  = 64
)

// lines returns what is typed, line by line, until there is no more. A read that
// waits for a person cannot be ended: the goroutine lasts as long as that.
func lines(ctx context.Context, r io.Reader) <-chan string {
	typed := make(chan string, typedAhead)
	go func() {
		defer close(typed)
		scanner := bufio.NewScanner(r)
		scanner.Buffer(nil, longestLine)
		for scanner.Scan() {
			select {
			case typed <- scanner.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return typed
}
