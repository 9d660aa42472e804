package rule

import (
	"cmp"
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

// plainNames are the attributes in words for those who do not write conditions: the
// model, and the person in front of it.
var plainNames = map[string]string{
	attributeNames[callServer]:    "which server the tool is of",
	attributeNames[callArgs]:      "what its arguments are",
	attributeNames[resultTool]:    "which tool answered",
	attributeNames[requestModel]:  "which model was asked",
	attributeNames[sessionID]:     "which session this is",
	attributeNames[sessionClient]: "which program the client is",
	attributeNames[sessionCwd]:    "the working directory",
	attributeNames[sessionHome]:   "the home directory",
	attributeNames[effectObject]:  "the branch that is checked out",
	attributeNames[effectPath]:    "which path it is about",
}

// plainLists are the attributes of which some is known, and perhaps not all.
var plainLists = map[string]string{
	attributeNames[someCommands]: "not everything that it runs is known",
	attributeNames[someEffects]:  "not everything that it does is known",
	attributeNames[someReads]:    "not every file that it reads is known",
	attributeNames[someWrites]:   "not every file that it writes is known",
	attributeNames[someURLs]:     "not every address that it uses is known",
	attributeNames[commandArgs]:  "not every argument of a command is known",
}

// Plainly says that something is not known, what Match says, in words for those who do not
// write conditions.
func Plainly(what string) string {
	var said []string
	for one := range strings.SplitSeq(what, ", ") {
		clause, ok := plainLists[one]
		if !ok {
			clause = cmp.Or(plainNames[one], one) + " is not known"
		}
		said = append(said, clause)
	}
	return strings.Join(said, ", and ")
}

var attributeNames = [attributes]string{
	someCommands:  "call.commands",
	someEffects:   "call.effects",
	someReads:     "call.reads",
	someWrites:    "call.writes",
	someURLs:      "call.urls",
	callName:      "the name of the tool",
	callServer:    "call.server",
	callArgs:      "call.args",
	commandArgs:   "command.args",
	resultTool:    "result.tool",
	requestAll:    "request",
	requestModel:  "request.model",
	sessionID:     "session.id",
	sessionClient: "session.client",
	sessionCwd:    "session.cwd",
	sessionHome:   "session.home",
	urlHost:       "the host of a URL",
	pathBegin:     "where a path begins",
	effectObject:  "the object of an effect",
	effectPath:    "the path of an effect",
	textPart:      "a part of a text",
	effectInside:  "what is in a directory",
	anything:      "anything",
}
