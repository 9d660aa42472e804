package rule

import (
	"strings"

	"cel.dev/cel-go/common/types"
)

// attribute is something about a subject that can be unknown.
type attribute int64

const (
	someCommands attribute = iota
	someEffects
	someReads
	someWrites
	someURLs
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

// unknowns are the CEL values of unknown attributes. CEL merges them without
// changing them; their ids are the attributes.
var unknowns = func() (values [attributes]*types.Unknown) {
	for i := range values {
		values[i] = types.NewUnknown(int64(i), types.NewAttributeTrail(attributeNames[i]))
	}
	return values
}()

func (a attribute) unknown() *types.Unknown { return unknowns[a] }

// whatWasUnknown names the attributes of an unknown value.
func whatWasUnknown(u *types.Unknown) string {
	var names []string
	for _, id := range u.IDs() {
		switch {
		case id == int64(textPart), id == int64(commandArgs):
			names = append(names, shownHoles(u, attribute(id)))
		case id >= 0 && id < int64(attributes):
			names = append(names, attributeNames[id])
		}
	}
	return strings.Join(names, ", ")
}
