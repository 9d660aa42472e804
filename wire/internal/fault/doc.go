// Package fault reads the error objects that providers put into their answers.
//
// The dialects of OpenAI share one shape, {"type", "code", "message"}, which not all
// servers follow: a code can be a number, and a string can replace the object.
package fault
