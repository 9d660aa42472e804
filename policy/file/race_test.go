//go:build race

package file_test

// racing says that the race detector is on: sync.Pool then drops some of what it is given, at random.
const racing = true
