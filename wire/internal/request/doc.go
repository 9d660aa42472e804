// Package request is shared by the request readers and writers of all dialects: limits
// on the parts of a request, and for the writers a builder of JSON bodies, the turns
// and results of a conversation, and the ids of calls.
//
// It knows nothing about any one dialect. A [Body] keeps the first reason why a request
// cannot be expressed, so that writers need no check after every line.
package request
