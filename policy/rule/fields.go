package rule

import (
	"fmt"
	"maps"
	"slices"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// The types of the variables.
var (
	callType    = types.NewObjectType("Call")
	commandType = types.NewObjectType("Command")
	effectType  = types.NewObjectType("Effect")
	pastType    = types.NewObjectType("Past")
	resultType  = types.NewObjectType("Result")
	requestType = types.NewObjectType("Request")
	messageType = types.NewObjectType("Message")
	sessionType = types.NewObjectType("Session")
	keyType     = types.NewObjectType("Key")

	stringsType = cel.ListType(cel.StringType)
	anyMapType  = cel.MapType(cel.StringType, cel.DynType)
)

// openPrefix marks the form of a list field that shows an incomplete list as
// an openList. Expressions cannot spell it; see openRanges.
const openPrefix = "@"

// fields are the fields of the types, by type and name.
var fields = map[string]map[string]*types.FieldType{
	callType.TypeName(): withOpenForms(map[string]*types.FieldType{
		"name":     field(cel.StringType, func(c *callView) any { return c.name() }),
		"raw_name": field(cel.StringType, func(c *callView) any { return c.rawName() }),
		"kind":     field(cel.StringType, func(c *callView) any { return c.kind() }),
		"server":   field(cel.StringType, func(c *callView) any { return c.server() }),
		"args":     field(anyMapType, func(c *callView) any { return c.args() }),
		"raw":      field(cel.StringType, func(c *callView) any { return c.raw() }),
		"unknown":  field(stringsType, func(c *callView) any { return c.reasons() }),
	}, map[string]listField{
		"commands": {cel.ListType(commandType), (*callView).commands},
		"effects":  {cel.ListType(effectType), (*callView).effects},
		"reads":    {stringsType, (*callView).reads},
		"writes":   {stringsType, (*callView).writes},
		"urls":     {stringsType, (*callView).urls},
	}),
	commandType.TypeName(): {
		"name":              field(cel.StringType, func(c *commandView) any { return c.Name }),
		"sub":               field(cel.StringType, func(c *commandView) any { return c.sub() }),
		"args":              field(stringsType, func(c *commandView) any { return c.args(false) }),
		openPrefix + "args": field(stringsType, func(c *commandView) any { return c.args(true) }),
		"env":               field(cel.MapType(cel.StringType, cel.StringType), func(c *commandView) any { return c.Env }),
		"sudo":              field(cel.BoolType, func(c *commandView) any { return c.Sudo }),
		"remote":            field(cel.BoolType, func(c *commandView) any { return c.Remote }),
		"text":              field(cel.StringType, func(c *commandView) any { return c.Line() }),
	},
	effectType.TypeName(): {
		"verb":    field(cel.StringType, func(e *effectView) any { return string(e.Verb) }),
		"object":  field(cel.StringType, func(e *effectView) any { return e.object() }),
		"from":    field(cel.StringType, func(e *effectView) any { return e.from() }),
		"how":     field(cel.StringType, func(e *effectView) any { return e.How }),
		"content": field(cel.StringType, func(e *effectView) any { return e.Content }),
		"wide":    field(cel.BoolType, func(e *effectView) any { return e.Wide }),
		"sudo":    field(cel.BoolType, func(e *effectView) any { return e.Sudo }),
		"remote":  field(cel.BoolType, func(e *effectView) any { return e.Remote }),
		"guess":   field(cel.BoolType, func(e *effectView) any { return e.Guess }),
		"shown":   field(cel.BoolType, func(e *effectView) any { return e.Shown }),
		"scratch": field(cel.BoolType, func(e *effectView) any { return e.Scratch }),
	},
	pastType.TypeName(): {
		"known":          field(cel.BoolType, func(p *pastView) any { return p.past().Known() }),
		"untrusted":      field(cel.BoolType, func(p *pastView) any { _, saw := p.past().SawUntrusted(); return saw }),
		"untrusted_seen": field(cel.BoolType, func(p *pastView) any { return p.past().SeenUntrusted() }),
		"private_seen":   field(cel.BoolType, func(p *pastView) any { return p.past().SeenPrivate() }),
		"private":        field(cel.BoolType, func(p *pastView) any { _, read := p.past().ReadPrivate(); return read }),
	},
	resultType.TypeName(): {
		"tool": field(cel.StringType, func(v *view) any { return v.resultTool() }),
		"text": field(cel.StringType, func(v *view) any { return v.text() }),
	},
	requestType.TypeName(): {
		"model":     field(cel.StringType, func(r *requestView) any { return r.Model }),
		"messages":  field(cel.ListType(messageType), func(r *requestView) any { return r.messages() }),
		"tools":     field(stringsType, func(r *requestView) any { return r.tools() }),
		"user_text": field(cel.StringType, func(r *requestView) any { return r.userText() }),
	},
	messageType.TypeName(): {
		"role": field(cel.StringType, func(m *messageView) any { return string(m.Role) }),
		"text": field(cel.StringType, func(m *messageView) any { return m.text() }),
	},
	sessionType.TypeName(): {
		"id":     sessionField(func(s *sessionView) string { return s.ID }, sessionID),
		"client": sessionField(func(s *sessionView) string { return s.Client }, sessionClient),
		"cwd":    sessionField(func(s *sessionView) string { return s.Cwd }, sessionCwd),
		"home":   sessionField(func(s *sessionView) string { return s.Home }, sessionHome),
		"labels": field(stringsType, func(s *sessionView) any { return s.Labels }),
	},
	keyType.TypeName(): {
		"name":   field(cel.StringType, func(k *keyView) any { return k.Name }),
		"user":   field(cel.StringType, func(k *keyView) any { return k.User }),
		"groups": field(stringsType, func(k *keyView) any { return k.Groups }),
	},
}

// field is a field whose value get returns. Fields of an unknown value are
// unknown.
func field[T any](typ *types.Type, get func(T) any) *types.FieldType {
	return &types.FieldType{
		Type:  typ,
		IsSet: func(any) bool { return true },
		GetFrom: func(target any) (any, error) {
			if unknown, ok := target.(*types.Unknown); ok {
				return unknown, nil
			}
			if t, ok := target.(T); ok {
				return get(t), nil
			}
			return nil, fmt.Errorf("%T has no such field", target)
		},
	}
}

// sessionField is a field that is unknown when it is empty; has() tells.
func sessionField(get func(*sessionView) string, name attribute) *types.FieldType {
	f := field(cel.StringType, func(s *sessionView) any {
		if value := get(s); value != "" {
			return value
		}
		return name.unknown()
	})
	f.IsSet = func(target any) bool {
		s, ok := target.(*sessionView)
		return ok && get(s) != ""
	}
	return f
}

// listField is a list of a call that can be incomplete.
type listField struct {
	typ *types.Type
	get func(c *callView, open bool) any
}

// withOpenForms adds each list in both forms.
func withOpenForms(plain map[string]*types.FieldType, lists map[string]listField) map[string]*types.FieldType {
	for name, list := range lists {
		plain[name] = field(list.typ, func(c *callView) any { return list.get(c, false) })
		plain[openPrefix+name] = field(list.typ, func(c *callView) any { return list.get(c, true) })
	}
	return plain
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
		return f, ok
	}
	return p.Provider.FindStructFieldType(name, fieldName)
}

// NewValue implements types.Provider. Expressions cannot construct objects;
// check says so with a position.
func (p provider) NewValue(name string, _ map[string]ref.Val) ref.Val {
	return types.NewErr("%s cannot be made in an expression", name)
}
