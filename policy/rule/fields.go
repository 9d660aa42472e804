package rule

import (
	"maps"
	"slices"
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/flow"
	"github.com/sluice-project/sluice/policy/internal/advice"
	"github.com/sluice-project/sluice/policy/internal/asked"
	"github.com/sluice-project/sluice/policy/invocation"
)

// field is a field of a type: what node it is, and how that gets it.
type field struct {
	typ *types.Type
	is  op
	// Of a global variable: a text and whether it is known, a list of texts and
	// whether it is complete, a mark, or any value.
	textOf  func(*view) (string, answer)
	listOf  func(*view) ([]string, answer)
	markOf  func(*view) bool
	valueOf func(*view) (ref.Val, answer)
	// Of a command, an effect or a message.
	commandMark func(*invocation.Command) bool
	effectText  func(*effect.Effect) string
	effectMark  func(*effect.Effect) bool
	messageText func(*asked.Message) string
	// open: its texts may be known in part.
	open bool
}

// fields are the fields of the types, by type and name.
var fields = map[string]map[string]*field{
	advice.CallType.TypeName(): {
		"name":     ofCall(func(c *call.Call) string { return c.Name }, (*view).toolKnown),
		"raw_name": ofCall(func(c *call.Call) string { return c.RawName }, (*view).toolKnown),
		"kind":     ofCall(func(c *call.Call) string { return string(c.Kind) }, (*view).toolKnown),
		"server":   ofCall(func(c *call.Call) string { return c.Server }, (*view).serverKnown),
		"raw":      ofCall(func(c *call.Call) string { return c.Raw }, (*view).argsKnown),
		"args":     {typ: advice.AnyMapType, is: opGlobal, valueOf: (*view).args},
		"commands": {typ: cel.ListType(advice.CommandType), is: opCommands},
		"effects":  {typ: cel.ListType(advice.EffectType), is: opEffects},
		"reads":    listOfCall(true, func(c *call.Call) ([]string, answer) { return c.Reads, complete(!c.Incomplete.Reads, someReads) }),
		"writes":   listOfCall(true, func(c *call.Call) ([]string, answer) { return c.Writes, complete(!c.Incomplete.Writes, someWrites) }),
		"urls":     listOfCall(true, func(c *call.Call) ([]string, answer) { return c.URLs, complete(!c.Incomplete.URLs, someURLs) }),
		"unknown":  listOfCall(false, func(c *call.Call) ([]string, answer) { return c.Unknown, yes }),
	},
	advice.CommandType.TypeName(): {
		"name":     {typ: cel.StringType, is: opOfSlot},
		"sub":      {typ: cel.StringType, is: opOfSlot, open: true},
		"text":     {typ: cel.StringType, is: opOfSlot},
		"args":     {typ: advice.StringsType, is: opArgs, open: true},
		"operands": {typ: advice.StringsType, is: opOperands, open: true},
		"effects":  {typ: cel.ListType(advice.EffectType), is: opBelow},
		"env":      {typ: cel.MapType(cel.StringType, cel.StringType), is: opEnv},
		"sudo":     {typ: cel.BoolType, is: opCommandIs, commandMark: func(c *invocation.Command) bool { return c.Sudo }},
		"remote":   {typ: cel.BoolType, is: opCommandIs, commandMark: func(c *invocation.Command) bool { return c.Remote }},
	},
	advice.EffectType.TypeName(): {
		"verb":    effectText(false, func(e *effect.Effect) string { return string(e.Verb) }),
		"object":  effectText(true, func(e *effect.Effect) string { return e.Object }),
		"from":    effectText(true, func(e *effect.Effect) string { return e.From }),
		"how":     effectText(false, func(e *effect.Effect) string { return e.How }),
		"content": effectText(false, func(e *effect.Effect) string { return e.Content }),
		"kind":    effectText(false, func(e *effect.Effect) string { return string(e.Kind) }),
		"extent":  effectText(false, func(e *effect.Effect) string { return string(e.Extent()) }),
		"place":   {typ: cel.StringType, is: opArea},
		"certain": effectMark((*effect.Effect).Certain),
		"wide":    effectMark(func(e *effect.Effect) bool { return e.Wide }),
		"sudo":    effectMark(func(e *effect.Effect) bool { return e.Sudo }),
		"remote":  effectMark(func(e *effect.Effect) bool { return e.Remote }),
		"guess":   effectMark(func(e *effect.Effect) bool { return e.Guess }),
		"shown":   effectMark(func(e *effect.Effect) bool { return e.Shown }),
		"scratch": effectMark(func(e *effect.Effect) bool { return e.Scratch }),
	},
	advice.PastType.TypeName(): {
		"known":          ofPast((*flow.Past).Known),
		"untrusted":      ofPast(func(p *flow.Past) bool { _, saw := p.SawUntrusted(); return saw }),
		"untrusted_seen": ofPast((*flow.Past).SeenUntrusted),
		"private_seen":   ofPast((*flow.Past).SeenPrivate),
		"private":        ofPast(func(p *flow.Past) bool { _, read := p.ReadPrivate(); return read }),
	},
	advice.ResultType.TypeName(): {
		"tool": {typ: cel.StringType, is: opField, textOf: (*view).resultTool},
		"text": {typ: cel.StringType, is: opField, textOf: func(v *view) (string, answer) { return v.text(), yes }},
	},
	advice.RequestType.TypeName(): {
		"model":     {typ: cel.StringType, is: opField, textOf: (*view).model},
		"user_text": ofRequest(func(r *asked.Request) string { return r.UserText() }),
		"messages":  {typ: cel.ListType(advice.MessageType), is: opGlobal, valueOf: (*view).messages},
		"tools":     {typ: advice.StringsType, is: opFiles, listOf: (*view).tools},
	},
	advice.MessageType.TypeName(): {
		"role": {typ: cel.StringType, is: opMessage, messageText: func(m *asked.Message) string { return string(m.Role) }},
		"text": {typ: cel.StringType, is: opMessage, messageText: func(m *asked.Message) string { return m.Text() }},
	},
	advice.SessionType.TypeName(): {
		"id":     ofSession(func(s *policy.Session) string { return s.ID }, sessionID),
		"client": ofSession(func(s *policy.Session) string { return s.Client }, sessionClient),
		"cwd":    ofSession(func(s *policy.Session) string { return s.Cwd }, sessionCwd),
		"home":   ofSession(func(s *policy.Session) string { return s.Home }, sessionHome),
		"labels": {typ: advice.StringsType, is: opFiles, listOf: func(v *view) ([]string, answer) { return v.exchange.Session.Labels, yes }},
	},
	advice.KeyType.TypeName(): {
		"name":   {typ: cel.StringType, is: opField, textOf: func(v *view) (string, answer) { return v.exchange.Key.Name, yes }},
		"user":   {typ: cel.StringType, is: opField, textOf: func(v *view) (string, answer) { return v.exchange.Key.User, yes }},
		"groups": {typ: advice.StringsType, is: opFiles, listOf: func(v *view) ([]string, answer) { return v.exchange.Key.Groups, yes }},
	},
}

func ofCall(get func(*call.Call) string, known func(*view) answer) *field {
	return &field{typ: cel.StringType, is: opField, textOf: func(v *view) (string, answer) { return get(v.read()), known(v) }}
}

func listOfCall(open bool, get func(*call.Call) ([]string, answer)) *field {
	return &field{typ: advice.StringsType, is: opFiles, open: open, listOf: func(v *view) ([]string, answer) { return get(v.read()) }}
}

func complete(all bool, name attribute) answer {
	if all {
		return yes
	}
	return unknownOf(name)
}

func effectText(open bool, get func(*effect.Effect) string) *field {
	return &field{typ: cel.StringType, is: opOfEffect, effectText: get, open: open}
}

func effectMark(get func(*effect.Effect) bool) *field {
	return &field{typ: cel.BoolType, is: opEffectIs, effectMark: get}
}

func ofPast(get func(*flow.Past) bool) *field {
	return &field{typ: cel.BoolType, is: opMark, markOf: func(v *view) bool { return get(v.past()) }}
}

func ofRequest(get func(*asked.Request) string) *field {
	return &field{typ: cel.StringType, is: opField, textOf: func(v *view) (string, answer) {
		if r := v.asked(); r != nil {
			return get(r), yes
		}
		return "", unknownOf(requestAll)
	}}
}

// ofSession is a field that is unknown when it is empty; has() tells.
func ofSession(get func(*policy.Session) string, name attribute) *field {
	return &field{typ: cel.StringType, is: opField, textOf: func(v *view) (string, answer) {
		if text := get(&v.exchange.Session); text != "" {
			return text, yes
		}
		return "", unknownOf(name)
	}}
}

// isElement reports whether there can be several objects of a type, so that a
// field of one is not simply that of a global variable.
func isElement(typ *types.Type) bool {
	return typ.IsExactType(advice.CommandType) || typ.IsExactType(advice.EffectType) || typ.IsExactType(advice.MessageType)
}

// provider tells CEL about the types.
type provider struct{ types.Provider }

// FindStructType implements types.Provider.
func (p provider) FindStructType(name string) (*types.Type, bool) {
	if _, ok := fields[name]; ok {
		return types.NewTypeTypeWithParam(types.NewObjectType(name)), true
	}
	return p.Provider.FindStructType(name)
}

// FindStructFieldNames implements types.Provider.
func (p provider) FindStructFieldNames(name string) ([]string, bool) {
	if typ, ok := fields[name]; ok {
		return slices.Sorted(maps.Keys(typ)), true
	}
	return p.Provider.FindStructFieldNames(name)
}

// FindStructFieldType implements types.Provider.
func (p provider) FindStructFieldType(name, fieldName string) (*types.FieldType, bool) {
	if typ, ok := fields[name]; ok {
		f, ok := typ[fieldName]
		if !ok {
			return nil, false
		}
		return &types.FieldType{Type: f.typ}, true
	}
	return p.Provider.FindStructFieldType(name, fieldName)
}

// blockText is the variable text.
var blockText = &field{typ: cel.StringType, is: opField, textOf: func(v *view) (string, answer) { return v.text(), yes }}

// members are the members of the types with their own types.
var members = sync.OnceValue(func() advice.Members {
	all := advice.Members{}
	for typ, of := range fields {
		all[typ] = map[string]*types.Type{}
		for name, f := range of {
			all[typ][name] = f.typ
		}
	}
	return all
})
