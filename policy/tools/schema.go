package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// The limits of a declared schema.
const (
	maxSchemaBytes = 256 << 10
	maxSchemaDepth = 64    // of its JSON
	maxSchemaNodes = 5_000 // subschemas that can be reached
)

// The ways in which a declared schema cannot be used.
var (
	// ErrSchemaTooLarge: the schema is larger, deeper or has more parts or
	// patterns than is checked.
	ErrSchemaTooLarge = errors.New("the declared schema is too large to be checked")
	// ErrSchemaRemote: the schema refers to another document, which is never
	// fetched.
	ErrSchemaRemote = errors.New("the declared schema refers to another document: declare it in one piece")
	// ErrSchemaInvalid: the schema is not one that can be understood.
	ErrSchemaInvalid = errors.New("the declared schema cannot be understood")
	// ErrTooMuchWork: checking these arguments against the schema would take
	// too long.
	ErrTooMuchWork = errors.New("checking the arguments against the declared schema takes too much work")
)

// schema is a compiled declaration. It never changes.
type schema struct {
	root *node
	// weight is about how many bytes it keeps.
	weight int
}

// node is one subschema. Absent keywords are zero; a pointer tells 0 from
// absent.
type node struct {
	never bool // the schema false
	ref   *node

	types   []string
	allowed map[string]bool // enum and const, in canonical form; nil if any value may be
	choices []string        // allowed, as it is told to the model

	minimum, maximum           *float64
	exclusiveMin, exclusiveMax *float64
	multipleOf                 float64
	minLength, maxLength       *int
	pattern                    *pattern
	minItems, maxItems         *int
	minProps, maxProps         *int
	minContains, maxContains   *int
	unique                     bool
	prefix                     []*node
	items, contains            *node
	restItems                  *node // unevaluatedItems
	required                   []string
	properties                 map[string]*node
	propertyNames              []string // of properties, sorted
	patternProperties          []patternProperty
	additional, names          *node
	restProps                  *node // unevaluatedProperties
	dependentRequired          map[string][]string
	dependent                  map[string]*node
	allOf, anyOf, oneOf        []*node
	not, when, then, otherwise *node
}

type patternProperty struct {
	pattern *pattern
	node    *node
}

// compile reads a declared schema. Time and memory are linear in its size.
func compile(raw []byte) (*schema, error) {
	if len(raw) > maxSchemaBytes {
		return nil, fmt.Errorf("%w: it has %d bytes, the limit is %d", ErrSchemaTooLarge, len(raw), maxSchemaBytes)
	}
	if nesting(raw) > maxSchemaDepth {
		return nil, fmt.Errorf("%w: it is nested more than %d levels deep", ErrSchemaTooLarge, maxSchemaDepth)
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var document any
	if err := dec.Decode(&document); err != nil {
		return nil, fmt.Errorf("%w: it is not JSON", ErrSchemaInvalid)
	}
	c := &compiler{document: document, nodes: make(map[uintptr]*node)}
	if m, ok := document.(map[string]any); ok {
		c.id, _ = m["$id"].(string)
		draft, _ := m["$schema"].(string)
		c.refAlone = strings.Contains(draft, "draft-07") || strings.Contains(draft, "draft-06") || strings.Contains(draft, "draft-04")
	}
	root, err := c.node(document, "the schema")
	if err != nil {
		return nil, err
	}
	return &schema{root: root, weight: len(raw) + len(c.nodes)*512 + c.instructions*40}, nil
}

// nesting is how deep the brackets of a JSON text are nested.
func nesting(raw []byte) int {
	depth, deepest, quoted := 0, 0, false
	for i := 0; i < len(raw); i++ {
		switch b := raw[i]; {
		case quoted && b == '\\':
			i++
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '{' || b == '[':
			depth++
			deepest = max(deepest, depth)
		case b == '}' || b == ']':
			depth--
		}
	}
	return deepest
}

// compiler makes nodes of the parts of a document that can be reached. A part
// is known by the identity of its parsed object, so that a schema may refer to
// itself and paths, which can be long, need not be kept.
type compiler struct {
	document     any
	id           string
	refAlone     bool // older drafts ignore what stands beside $ref
	nodes        map[uintptr]*node
	anchors      map[string]any // nil until one is asked for
	instructions int            // of all patterns
}

// node compiles a subschema. at is where it stands, for errors: the last name
// on the way to it.
func (c *compiler) node(value any, at string) (*node, error) {
	switch v := value.(type) {
	case bool:
		return &node{never: !v}, nil
	case map[string]any:
		identity := reflect.ValueOf(v).Pointer()
		if known := c.nodes[identity]; known != nil {
			return known, nil
		}
		if len(c.nodes) >= maxSchemaNodes {
			return nil, fmt.Errorf("%w: it has more than %d parts", ErrSchemaTooLarge, maxSchemaNodes)
		}
		n := &node{}
		c.nodes[identity] = n
		r := &reader{compiler: c, keywords: v, at: at}
		r.fill(n)
		return n, r.err
	}
	return nil, invalid(at, "is neither an object nor true or false")
}

// target finds what a $ref refers to.
func (c *compiler) target(ref string) (*node, error) {
	document, fragment, _ := strings.Cut(ref, "#")
	if document != "" && document != strings.TrimSuffix(c.id, "#") {
		return nil, ErrSchemaRemote
	}
	pointer, err := url.PathUnescape(fragment)
	if err != nil {
		return nil, invalid(ref, "is no reference")
	}
	value := c.document
	if pointer != "" && pointer[0] != '/' {
		if c.anchors == nil {
			c.anchors = make(map[string]any)
			collectAnchors(c.document, c.anchors)
		}
		value, pointer = c.anchors[pointer], ""
	}
	for step := range strings.SplitSeq(pointer, "/") {
		if step == "" && value != nil {
			// The empty first step, or an empty name, which no schema has.
			continue
		}
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		switch v := value.(type) {
		case map[string]any:
			value = v[step]
		case []any:
			value = nil
			if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(v) {
				value = v[i]
			}
		default:
			value = nil
		}
	}
	if value == nil {
		return nil, invalid(ref, "refers to nothing")
	}
	return c.node(value, ref)
}

func collectAnchors(value any, found map[string]any) {
	switch v := value.(type) {
	case map[string]any:
		if name, ok := v["$anchor"].(string); ok {
			found[name] = v
		}
		for _, member := range v {
			collectAnchors(member, found)
		}
	case []any:
		for _, item := range v {
			collectAnchors(item, found)
		}
	}
}

func invalid(at, what string) error {
	return fmt.Errorf("%w: %s %s", ErrSchemaInvalid, printable(at, 80), what)
}

// compilePattern compiles a regular expression and counts what it costs.
func (c *compiler) compilePattern(source, at string) (*pattern, error) {
	size, err := patternSize(source)
	if err != nil {
		return nil, invalid(at, "has a pattern that Go's regular expressions do not know")
	}
	if c.instructions += size; len(source) > maxPatternBytes || c.instructions > maxPatternSize {
		return nil, fmt.Errorf("%w: its patterns are too large", ErrSchemaTooLarge)
	}
	re, err := regexp.Compile(source)
	if err != nil {
		return nil, invalid(at, "has a pattern that Go's regular expressions do not know")
	}
	return &pattern{re: re, size: size}, nil
}
