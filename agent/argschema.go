package agent

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"
)

// schemaOf is the schema of the arguments that a Go type describes: as the model
// gets it, always the same bytes, and compiled for validation.
func schemaOf(t reflect.Type) (json.RawMessage, *argumentSchema, error) {
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
	default:
		return nil, nil, fmt.Errorf("its arguments are a %s: a model can only be asked for a struct, or a map with strings as keys", t)
	}
	known := map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[json.Number]():     {Type: "number"},
		reflect.TypeFor[json.RawMessage](): {},
		reflect.TypeFor[[]byte]():          {Type: "string", ContentEncoding: "base64"},
		reflect.TypeFor[big.Int]():         {Type: "integer"},
	}
	ownForms(t, known, make(map[reflect.Type]bool))
	schema, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: known})
	if err != nil {
		return nil, nil, fmt.Errorf("its arguments have no schema: %w", err)
	}
	if schema.Type != "object" {
		return nil, nil, fmt.Errorf("its arguments are a %s, which is not an object in JSON", t)
	}
	if schema.Properties == nil {
		// Some providers reject an object without them.
		schema.Properties = make(map[string]*jsonschema.Schema)
	}
	raw, err := json.Marshal(schema)
	if err != nil {
		return nil, nil, fmt.Errorf("its arguments have no schema: %w", err)
	}
	// Arguments are validated against exactly what the model was told.
	compiled, err := compileSchema(raw)
	if err != nil {
		return nil, nil, err
	}
	return raw, compiled, nil
}

var (
	readsText = reflect.TypeFor[encoding.TextUnmarshaler]()
	readsJSON = reflect.TypeFor[json.Unmarshaler]()
)

// ownForms finds the types that unmarshal themselves. Their fields say nothing
// about their JSON form: it is a string if they unmarshal text, and can be anything
// if they unmarshal JSON.
func ownForms(t reflect.Type, known map[reflect.Type]*jsonschema.Schema, seen map[reflect.Type]bool) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if seen[t] || known[t] != nil {
		return
	}
	seen[t] = true
	if t.Name() != "" && t.Kind() != reflect.Interface && t.PkgPath() != "time" && t.PkgPath() != "log/slog" {
		switch p := reflect.PointerTo(t); {
		case p.Implements(readsJSON):
			known[t] = &jsonschema.Schema{}
			return
		case p.Implements(readsText):
			known[t] = &jsonschema.Schema{Type: "string"}
			return
		}
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
		ownForms(t.Elem(), known, seen)
	case reflect.Struct:
		for f := range t.Fields() {
			if (f.IsExported() || f.Anonymous) && f.Tag.Get("json") != "-" {
				ownForms(f.Type, known, seen)
			}
		}
	default:
	}
}
