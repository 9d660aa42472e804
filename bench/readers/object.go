package readers

import (
	"encoding/json"
	"maps"
)

// object is a JSON object whose members are found by their exact names. Members
// that are missing or of another type are empty.
type object map[string]json.RawMessage

func (o object) text(name string) string {
	var text string
	if json.Unmarshal(o[name], &text) != nil {
		return ""
	}
	return text
}

func (o object) object(name string) object {
	var value object
	if json.Unmarshal(o[name], &value) != nil {
		return nil
	}
	return value
}

// objects are the objects in a list; what else is in it is passed over.
func (o object) objects(name string) []object {
	var values []json.RawMessage
	if json.Unmarshal(o[name], &values) != nil {
		return nil
	}
	var objects []object
	for _, value := range values {
		var one object
		if json.Unmarshal(value, &one) == nil {
			objects = append(objects, one)
		}
	}
	return objects
}

// clone is a copy whose members can be set, also of no object.
func (o object) clone() object {
	if o == nil {
		return object{}
	}
	return maps.Clone(o)
}

// with is a copy with another value of a member.
func (o object) with(name string, value json.RawMessage) object {
	o = o.clone()
	o[name] = value
	return o
}

func (o object) setText(name, text string) {
	if data, err := json.Marshal(text); err == nil {
		o[name] = data
	}
}

// textOf is a text as it is, and everything else as JSON.
func textOf(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}
