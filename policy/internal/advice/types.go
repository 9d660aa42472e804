package advice

import (
	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
)

// The types of the variables.
var (
	CallType    = types.NewObjectType("Call")
	CommandType = types.NewObjectType("Command")
	EffectType  = types.NewObjectType("Effect")
	PastType    = types.NewObjectType("Past")
	ResultType  = types.NewObjectType("Result")
	RequestType = types.NewObjectType("Request")
	MessageType = types.NewObjectType("Message")
	SessionType = types.NewObjectType("Session")
	KeyType     = types.NewObjectType("Key")

	StringsType = cel.ListType(cel.StringType)
	AnyMapType  = cel.MapType(cel.StringType, cel.DynType)
)

// Members are the members of the types with their own types, by type and name.
type Members map[string]map[string]*types.Type
