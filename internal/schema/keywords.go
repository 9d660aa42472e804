package schema

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// reader reads the keywords of one subschema. It keeps the first error.
type reader struct {
	*compiler
	keywords map[string]any
	at       string
	err      error
}

func (r *reader) fill(n *node) {
	if ref, ok := r.keywords["$ref"].(string); ok {
		target, err := r.target(ref)
		if err != nil {
			r.err = err
			return
		}
		n.ref = target
		if r.refAlone {
			return
		}
	}
	if r.keywords["$dynamicRef"] != nil || r.keywords["$recursiveRef"] != nil {
		r.fail("uses a dynamic reference, which is not supported: use $ref")
		return
	}
	r.values(n)
	r.numbers(n)
	r.arrays(n)
	r.objects(n)
	n.allOf, n.anyOf, n.oneOf = r.list("allOf"), r.list("anyOf"), r.list("oneOf")
	n.not, n.when, n.then, n.otherwise = r.one("not"), r.one("if"), r.one("then"), r.one("else")
}

func (r *reader) fail(what string) {
	if r.err == nil {
		r.err = invalid(r.at, what)
	}
}

// values reads the keywords that apply to any value.
func (r *reader) values(n *node) {
	switch v := r.keywords["type"].(type) {
	case nil:
	case string:
		n.types = r.types(v)
	case []any:
		for _, name := range v {
			text, _ := name.(string)
			n.types = append(n.types, r.types(text)...)
		}
	default:
		r.fail("has a type that is not a name")
	}
	if r.keywords["nullable"] == true && n.types != nil {
		n.types = append(n.types, "null")
	}
	n.types = slices.Compact(slices.Sorted(slices.Values(n.types)))
	n.wanted = strings.Join(n.types, " or ")
	if list, ok := r.keywords["enum"].([]any); ok {
		n.allow(list)
		if r.keywords["nullable"] == true {
			n.allowed["null"] = true
		}
	}
	if value, ok := r.keywords["const"]; ok {
		n.never = n.allowed != nil && !n.allowed[canonical(value)]
		n.allow([]any{value})
	}
	n.never = n.never || n.allowed != nil && len(n.allowed) == 0
}

// types returns a type by its name in JSON schema. Gemini writes them in upper case.
func (r *reader) types(name string) []string {
	switch lower := strings.ToLower(name); lower {
	case "object", "array", "string", "number", "integer", "boolean", "null":
		return []string{lower}
	case "type_unspecified":
		return nil
	}
	r.fail("has a type that JSON schema does not know: use object, array, string, number, integer, boolean or null")
	return nil
}

func (n *node) allow(values []any) {
	n.allowed = make(map[string]bool, len(values))
	var choices []string
	for _, v := range values {
		text := canonical(v)
		n.allowed[text] = true
		if len(choices) < maxListed {
			choices = append(choices, Printable(text, 48))
		}
	}
	if len(values) > maxListed {
		choices = append(choices, "...")
	}
	n.choices = strings.Join(choices, ", ")
}

func (r *reader) numbers(n *node) {
	n.minimum, n.maximum = r.number("minimum"), r.number("maximum")
	n.exclusiveMin, n.exclusiveMax = r.number("exclusiveMinimum"), r.number("exclusiveMaximum")
	if r.keywords["exclusiveMinimum"] == true { // as in drafts before 6
		n.minimum, n.exclusiveMin = nil, n.minimum
	}
	if r.keywords["exclusiveMaximum"] == true {
		n.maximum, n.exclusiveMax = nil, n.maximum
	}
	if m := r.number("multipleOf"); m != nil {
		n.multipleOf = *m
	}
	n.minLength, n.maxLength = r.count("minLength"), r.count("maxLength")
	if source, ok := r.keywords["pattern"].(string); ok && r.err == nil {
		n.pattern, r.err = r.compilePattern(source, r.at)
	}
}

func (r *reader) arrays(n *node) {
	n.minItems, n.maxItems = r.count("minItems"), r.count("maxItems")
	n.minContains, n.maxContains = r.count("minContains"), r.count("maxContains")
	n.unique = r.keywords["uniqueItems"] == true
	n.contains, n.restItems = r.one("contains"), r.one("unevaluatedItems")
	n.prefix = r.list("prefixItems")
	if _, tuple := r.keywords["items"].([]any); tuple {
		n.prefix, n.items = r.list("items"), r.one("additionalItems")
	} else {
		n.items = r.one("items")
	}
}

func (r *reader) objects(n *node) {
	n.minProps, n.maxProps = r.count("minProperties"), r.count("maxProperties")
	n.required = r.strings(r.keywords["required"])
	n.properties = r.named("properties")
	n.propertyNames = slices.Sorted(maps.Keys(n.properties))
	n.additional, n.names = r.one("additionalProperties"), r.one("propertyNames")
	n.restProps = r.one("unevaluatedProperties")
	for source, sub := range sorted(r.named("patternProperties")) {
		if r.err != nil {
			return
		}
		var p *pattern
		p, r.err = r.compilePattern(source, r.at)
		n.patternProperties = append(n.patternProperties, patternProperty{p, sub})
	}
	n.dependent = r.named("dependentSchemas")
	for _, keyword := range []string{"dependentRequired", "dependencies"} {
		members, _ := r.keywords[keyword].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(members)) {
			if list, ok := members[name].([]any); ok {
				n.dependentRequired = with(n.dependentRequired, name, append(n.dependentRequired[name], r.strings(list)...))
			} else if keyword == "dependencies" {
				n.dependent = with(n.dependent, name, r.sub(members[name], name))
			}
		}
	}
}

// with sets a key of a map that may be nil.
func with[V any](m map[string]V, key string, value V) map[string]V {
	if m == nil {
		m = make(map[string]V)
	}
	m[key] = value
	return m
}

// sorted ranges over a map in the order of its keys.
func sorted[V any](m map[string]V) func(yield func(string, V) bool) {
	return func(yield func(string, V) bool) {
		for _, key := range slices.Sorted(maps.Keys(m)) {
			if !yield(key, m[key]) {
				return
			}
		}
	}
}

// sub compiles a subschema; the result is nil only after an error.
func (r *reader) sub(value any, at string) *node {
	if r.err != nil {
		return nil
	}
	var n *node
	n, r.err = r.node(value, at)
	return n
}

func (r *reader) one(keyword string) *node {
	value, ok := r.keywords[keyword]
	if !ok || value == nil {
		return nil
	}
	return r.sub(value, keyword)
}

func (r *reader) list(keyword string) []*node {
	values, _ := r.keywords[keyword].([]any)
	nodes := make([]*node, 0, len(values))
	for _, value := range values {
		nodes = append(nodes, r.sub(value, keyword))
	}
	if len(nodes) == 0 {
		return nil
	}
	return nodes
}

func (r *reader) named(keyword string) map[string]*node {
	values, _ := r.keywords[keyword].(map[string]any)
	if len(values) == 0 {
		return nil
	}
	nodes := make(map[string]*node, len(values))
	for _, name := range slices.Sorted(maps.Keys(values)) {
		nodes[name] = r.sub(values[name], name)
	}
	return nodes
}

func (r *reader) strings(value any) []string {
	values, _ := value.([]any)
	var list []string
	for _, v := range values {
		if text, ok := v.(string); ok {
			list = append(list, text)
		}
	}
	return list
}

// number reads a bound. Gemini writes some as strings.
func (r *reader) number(keyword string) *float64 {
	var text string
	switch v := r.keywords[keyword].(type) {
	case json.Number:
		text = v.String()
	case string:
		text = v
	default:
		return nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		r.fail("has a " + keyword + " that is not a number")
		return nil
	}
	return &f
}

func (r *reader) count(keyword string) *int {
	f := r.number(keyword)
	if f == nil {
		return nil
	}
	n := int(min(max(*f, -1), 1<<31))
	return &n
}
