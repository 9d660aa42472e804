package rule

import (
	"maps"
	"slices"
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"

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
	op  op
	// Of a global variable: a value, or a list of texts and whether it is complete.
	get  func(*view) value
	list func(*view) ([]string, answer)
	// Of a command, an effect or a message.
	ofCommand func(*invocation.Command) value
	ofEffect  func(*effect.Effect) value
	ofMessage func(*asked.Message) value
	// open: its texts may be known in part; path: they are paths; tool: it is the name of a tool or
	// of its server, which can be spelled in several ways.
	open, path, tool bool
}

// isTool reports whether a node is the name of a tool or of its server.
func (f *field) isTool() bool { return f != nil && f.tool }

// fields are the fields of the types, by type and name.
var fields = map[string]map[string]*field{
	advice.CallType.TypeName(): {
		"name":     ofTool(func(c *call.Call) string { return c.Name }, (*view).toolKnown),
		"raw_name": ofCall(func(c *call.Call) string { return c.RawName }, (*view).toolKnown),
		"kind":     ofCall(func(c *call.Call) string { return string(c.Kind) }, (*view).toolKnown),
		"server":   ofTool(func(c *call.Call) string { return c.Server }, (*view).serverKnown),
		"raw":      ofCall(func(c *call.Call) string { return c.Raw }, (*view).argsKnown),
		"args":     {typ: advice.AnyMapType, op: opGlobal, get: (*view).args},
		"commands": {typ: cel.ListType(advice.CommandType), op: opCommands},
		"effects":  {typ: cel.ListType(advice.EffectType), op: opEffects},
		"reads":    listOfCall(true, true, func(c *call.Call) ([]string, answer) { return c.Reads, complete(!c.Incomplete.Reads, someReads) }),
		"writes":   listOfCall(true, true, func(c *call.Call) ([]string, answer) { return c.Writes, complete(!c.Incomplete.Writes, someWrites) }),
		"urls":     listOfCall(true, false, func(c *call.Call) ([]string, answer) { return c.URLs, complete(!c.Incomplete.URLs, someURLs) }),
		"unknown":  listOfCall(false, false, func(c *call.Call) ([]string, answer) { return c.Unknown, yes }),
	},
	advice.CommandType.TypeName(): {
		"name":     {typ: cel.StringType, op: opOfOne, ofCommand: func(c *invocation.Command) value { return known(c.Name) }},
		"text":     {typ: cel.StringType, op: opOfOne, ofCommand: func(c *invocation.Command) value { return known(c.Line()) }},
		"sudo":     {typ: cel.BoolType, op: opOfOne, ofCommand: func(c *invocation.Command) value { return truth(c.Sudo) }},
		"remote":   {typ: cel.BoolType, op: opOfOne, ofCommand: func(c *invocation.Command) value { return truth(c.Remote) }},
		"sub":      {typ: cel.StringType, op: opSub},
		"args":     {typ: advice.StringsType, op: opArgs},
		"operands": {typ: advice.StringsType, op: opOperands},
		"effects":  {typ: cel.ListType(advice.EffectType), op: opBelow},
		"env":      {typ: cel.MapType(cel.StringType, cel.StringType), op: opEnv},
	},
	advice.EffectType.TypeName(): {
		"verb":    effectText(func(e *effect.Effect) string { return string(e.Verb) }),
		"object":  {typ: cel.StringType, op: opOfOne, open: true, path: true, ofEffect: func(e *effect.Effect) value { return known(e.Object) }},
		"from":    {typ: cel.StringType, op: opOfOne, open: true, path: true, ofEffect: func(e *effect.Effect) value { return known(e.From) }},
		"how":     effectText(func(e *effect.Effect) string { return e.How }),
		"content": effectText(func(e *effect.Effect) string { return e.Content }),
		"kind":    effectText(func(e *effect.Effect) string { return string(e.Kind) }),
		"extent":  effectText(func(e *effect.Effect) string { return string(e.Extent()) }),
		"place":   {typ: cel.StringType, op: opArea},
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
		"tool": {typ: cel.StringType, op: opField, get: (*view).resultTool, tool: true},
		"text": blockText,
	},
	advice.RequestType.TypeName(): {
		"model":     {typ: cel.StringType, op: opField, get: (*view).model},
		"user_text": ofRequest(func(r *asked.Request) string { return r.UserText() }),
		"messages":  {typ: cel.ListType(advice.MessageType), op: opGlobal, get: (*view).messages},
		"tools":     {typ: advice.StringsType, op: opFiles, list: (*view).tools},
	},
	advice.MessageType.TypeName(): {
		"role": {typ: cel.StringType, op: opOfOne, ofMessage: func(m *asked.Message) value { return known(string(m.Role)) }},
		"text": {typ: cel.StringType, op: opOfOne, ofMessage: func(m *asked.Message) value { return known(m.Text()) }},
	},
	advice.SessionType.TypeName(): {
		"id":     ofSession(func(s *policy.Session) string { return s.ID }, sessionID),
		"client": ofSession(func(s *policy.Session) string { return s.Client }, sessionClient),
		"cwd":    ofPath(ofSession(func(s *policy.Session) string { return s.Cwd }, sessionCwd)),
		"home":   ofSession(func(s *policy.Session) string { return s.Home }, sessionHome),
		"labels": {typ: advice.StringsType, op: opFiles, list: func(v *view) ([]string, answer) { return v.exchange.Session.Labels, yes }},
	},
	advice.KeyType.TypeName(): {
		"name":   {typ: cel.StringType, op: opField, get: func(v *view) value { return known(v.exchange.Key.Name) }},
		"user":   {typ: cel.StringType, op: opField, get: func(v *view) value { return known(v.exchange.Key.User) }},
		"groups": {typ: advice.StringsType, op: opFiles, list: func(v *view) ([]string, answer) { return v.exchange.Key.Groups, yes }},
	},
}

func ofCall(get func(*call.Call) string, is func(*view) answer) *field {
	return &field{typ: cel.StringType, op: opField, get: func(v *view) value { return value{is: is(v), text: get(v.read())} }}
}

func ofTool(get func(*call.Call) string, is func(*view) answer) *field {
	f := ofCall(get, is)
	f.tool = true
	return f
}

func ofPath(f *field) *field {
	f.path = true
	return f
}

func listOfCall(open, path bool, get func(*call.Call) ([]string, answer)) *field {
	return &field{typ: advice.StringsType, op: opFiles, open: open, path: path, list: func(v *view) ([]string, answer) { return get(v.read()) }}
}

func complete(all bool, name attribute) answer {
	if all {
		return yes
	}
	return unknownOf(name)
}

func effectText(get func(*effect.Effect) string) *field {
	return &field{typ: cel.StringType, op: opOfOne, ofEffect: func(e *effect.Effect) value { return known(get(e)) }}
}

func effectMark(get func(*effect.Effect) bool) *field {
	return &field{typ: cel.BoolType, op: opOfOne, ofEffect: func(e *effect.Effect) value { return truth(get(e)) }}
}

func ofPast(get func(*flow.Past) bool) *field {
	return &field{typ: cel.BoolType, op: opGlobal, get: func(v *view) value { return truth(get(v.past())) }}
}

func ofRequest(get func(*asked.Request) string) *field {
	return &field{typ: cel.StringType, op: opField, get: func(v *view) value {
		if r := v.variables().request; r != nil {
			return known(get(r))
		}
		return value{is: unknownOf(requestAll)}
	}}
}

// ofSession is a field that is unknown when it is empty; has() tells.
func ofSession(get func(*policy.Session) string, name attribute) *field {
	return &field{typ: cel.StringType, op: opField, get: func(v *view) value { return orUnknown(get(&v.exchange.Session), name) }}
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
var blockText = &field{typ: cel.StringType, op: opField, get: func(v *view) value { return known(v.text()) }}

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
