package main

import (
	"bufio"
	"context"
	"io"
)

// Limits on input: the length of a line, and lines typed ahead.
const (
	longestLine = 1 << 20
	typedAhead  = 64
)

// lines returns the input, line by line, until its end. A read that waits for a
// person cannot be cancelled: the goroutine lasts as long as that.
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
