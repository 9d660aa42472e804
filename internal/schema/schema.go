package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
)

// MaxBytes is the maximum size of a schema.
const MaxBytes = 256 << 10

// The other limits of a schema.
const (
	maxDepth = 64    // of its JSON
	maxNodes = 5_000 // reachable subschemas
)

// The reasons why a schema cannot be used.
var (
	// ErrTooLarge: the schema is too large, too deep, or has too many parts or
	// patterns.
	ErrTooLarge = errors.New("the schema is too large to be checked")
	// ErrRemote: the schema refers to another document, which is never fetched.
	ErrRemote = errors.New("the schema refers to another document: write it in one piece")
	// ErrInvalid: the schema is invalid or not supported.
	ErrInvalid = errors.New("the schema cannot be understood")
	// ErrTooMuchWork: checking would take too long, for any value if Compile returns
	// it, and for this value if Check does.
	ErrTooMuchWork = errors.New("comparing with the schema takes too much work")
)

// Schema is a compiled schema. It is immutable.
type Schema struct {
	root   *node
	weight int
}

// Weight is the approximate memory use of the schema in bytes.
func (s *Schema) Weight() int { return s.weight }

// node is one subschema. Absent keywords are zero; pointers distinguish 0 from absent.
type node struct {
	never bool // the schema false
	ref   *node

	types   []string
	wanted  string          // types, as shown to the model
	allowed map[string]bool // enum and const, in canonical form; nil if any value is allowed
	choices string          // allowed, as shown to the model

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

// The schemas true and false are shared.
var (
	always = &node{}
	never  = &node{never: true}
)

type patternProperty struct {
	pattern *pattern
	node    *node
}

// Compile reads a schema. Time and memory are linear in its size. The error is one of
// the Err values above, with what is wrong.
func Compile(raw []byte) (*Schema, error) {
	if len(raw) > MaxBytes {
		return nil, fmt.Errorf("%w: it has %d bytes, the limit is %d", ErrTooLarge, len(raw), MaxBytes)
	}
	if nesting(raw) > maxDepth {
		return nil, fmt.Errorf("%w: it is nested more than %d levels deep", ErrTooLarge, maxDepth)
	}
	if jsonscan.Valid(raw) != nil {
		return nil, fmt.Errorf("%w: it is not JSON", ErrInvalid)
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var document any
	if err := dec.Decode(&document); err != nil {
		return nil, fmt.Errorf("%w: it is not JSON", ErrInvalid)
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
	if !bounded(c.nodes) {
		return nil, fmt.Errorf("%w: it is recursive on the same value, or expands without limit", ErrTooMuchWork)
	}
	return &Schema{root: root, weight: len(raw) + len(c.nodes)*600 + c.instructions*40}, nil
}

// nesting is the nesting depth of the brackets in a JSON text.
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

// compiler turns the reachable parts of a document into nodes. A part is identified by
// its parsed object, so that a schema may refer to itself and paths, which can be long,
// need not be stored.
type compiler struct {
	document     any
	id           string
	refAlone     bool // older drafts ignore siblings of $ref
	nodes        map[uintptr]*node
	anchors      map[string]any // nil until first used
	instructions int            // of all patterns
}

// node compiles a subschema. at is its position for errors: the last name on the path
// to it.
func (c *compiler) node(value any, at string) (*node, error) {
	switch v := value.(type) {
	case bool:
		if v {
			return always, nil
		}
		return never, nil
	case map[string]any:
		identity := reflect.ValueOf(v).Pointer()
		if known := c.nodes[identity]; known != nil {
			return known, nil
		}
		if len(c.nodes) >= maxNodes {
			return nil, fmt.Errorf("%w: it has more than %d parts", ErrTooLarge, maxNodes)
		}
		n := &node{}
		c.nodes[identity] = n
		r := &reader{compiler: c, keywords: v, at: at}
		r.fill(n)
		return n, r.err
	}
	return nil, invalid(at, "is neither an object nor true or false")
}

func invalid(at, what string) error {
	return fmt.Errorf("%w: %s %s", ErrInvalid, Printable(at, 80), what)
}
