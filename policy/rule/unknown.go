package rule

import (
	"strings"
)

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
// conditions know: for the model, and the person in front of it. Of a list, some may be known.
var attributeNames = [attributes]struct{ name, plain string }{
	someCommands:  {"call.commands", "not everything that it runs is known"},
	someEffects:   {"call.effects", "not everything that it does is known"},
	someReads:     {"call.reads", "not every file that it reads is known"},
	someWrites:    {"call.writes", "not every file that it writes is known"},
	someURLs:      {"call.urls", "not every address that it uses is known"},
	callName:      {"the name of the tool", ""},
	callServer:    {"call.server", "which server the tool is of is not known"},
	callArgs:      {"call.args", "what its arguments are is not known"},
	commandArgs:   {"command.args", "not every argument of a command is known"},
	resultTool:    {"result.tool", "which tool answered is not known"},
	requestAll:    {"request", ""},
	requestModel:  {"request.model", "which model was asked is not known"},
	sessionID:     {"session.id", "the session is not known"},
	sessionClient: {"session.client", "the client is not known"},
	sessionCwd:    {"session.cwd", "the working directory is not known"},
	sessionHome:   {"session.home", "the home directory is not known"},
	urlHost:       {"the host of a URL", ""},
	pathBegin:     {"where a path begins", ""},
	effectObject:  {"the object of an effect", "the branch that is checked out is not known"},
	effectPath:    {"the path of an effect", "which path it is about is not known"},
	textPart:      {"a part of a text", ""},
	effectInside:  {"what is in a directory", ""},
	anything:      {"anything", ""},
}

// Plainly says that something is not known, what Match says, in words for those who do not
// write conditions.
func Plainly(what string) string {
	var said []string
	for one := range strings.SplitSeq(what, ", ") {
		clause := one + " is not known"
		for i := range attributeNames {
			a := &attributeNames[i]
			if a.name == one && a.plain != "" {
				clause = a.plain
			}
		}
		said = append(said, clause)
	}
	return strings.Join(said, ", and ")
}
