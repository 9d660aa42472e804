// Package request is what the request readers and writers of all dialects share:
// the count of what a request is made of, and for the writers a builder
// of JSON bodies, the turns and results of a conversation, and the ids of calls.
//
// It knows nothing of any one dialect. A [Body] collects the first reason why a
// request has no form, so that a writer reads from top to bottom without a
// check after every line.
package request
