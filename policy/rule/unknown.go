package rule

// attribute is something about a subject that can be unknown.
type attribute uint8

const (
	someCommands attribute = iota
	someEffects
	someReads
	someWrites
	someURLs
	callName
	callArgs
	commandArgs
	resultTool
	requestAll
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

var attributeNames = [attributes]string{
	someCommands:  "call.commands",
	someEffects:   "call.effects",
	someReads:     "call.reads",
	someWrites:    "call.writes",
	someURLs:      "call.urls",
	callName:      "the name of the tool",
	callArgs:      "call.args",
	commandArgs:   "command.args",
	resultTool:    "result.tool",
	requestAll:    "request",
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
