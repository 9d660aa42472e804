// Package fault reads the error objects that providers put into their answers.
//
// The dialects of OpenAI share one shape, {"type", "code", "message"}, which is
// not always kept: a code can be a number, and a text can stand for the object.
package fault
