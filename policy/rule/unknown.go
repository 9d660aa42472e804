package rule

import "strings"

// attribute is something about a subject that can be unknown.
type attribute uint8

const (
	someCommands attribute = iota
	someEffects
	someReads
	someWrites
	someURLs
	callName
	callServer
	callArgs
	commandArgs
	resultTool
	requestAll
	requestModel
	sessionID
	sessionClient
	sessionCwd
	sessionHome
	urlHost
	pathBegin
	effectObject
	effectPath
	textPart
	effectInside
	anything
	attributes // how many there are
)

// attributeNames are the attributes, and in other words those whose names only authors of
// conditions know: for the model, and the person in front of it.
var attributeNames = [attributes]struct{ name, plain string }{
	someCommands:  {"call.commands", "all that it runs"},
	someEffects:   {"call.effects", "all that it does"},
	someReads:     {"call.reads", "every file that it reads"},
	someWrites:    {"call.writes", "every file that it writes"},
	someURLs:      {"call.urls", "every address that it uses"},
	callName:      {"the name of the tool", ""},
	callServer:    {"call.server", "which server the tool is of"},
	callArgs:      {"call.args", "what its arguments are"},
	commandArgs:   {"command.args", "every argument of a command"},
	resultTool:    {"result.tool", "which tool answered"},
	requestAll:    {"request", ""},
	requestModel:  {"request.model", "which model was asked"},
	sessionID:     {"session.id", "which session this is"},
	sessionClient: {"session.client", "which program the client is"},
	sessionCwd:    {"session.cwd", "the working directory"},
	sessionHome:   {"session.home", "the home directory"},
	urlHost:       {"the host of a URL", ""},
	pathBegin:     {"where a path begins", ""},
	effectObject:  {"the object of an effect", "the branch that is checked out"},
	effectPath:    {"the path of an effect", "which path it is about"},
	textPart:      {"a part of a text", ""},
	effectInside:  {"what is in a directory", ""},
	anything:      {"anything", ""},
}

// Plainly says what is not known, as Match does, in words for those who do not write
// conditions.
func Plainly(what string) string {
	for _, a := range attributeNames {
		if a.plain != "" {
			what = strings.ReplaceAll(what, a.name, a.plain)
		}
	}
	return what
}
