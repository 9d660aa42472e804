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

// MaxBytes is how large a schema can be.
const MaxBytes = 256 << 10

// The other limits of a schema.
const (
	maxDepth = 64    // of its JSON
	maxNodes = 5_000 // subschemas that can be reached
)

// The ways in which a schema cannot be used.
var (
	// ErrTooLarge: the schema is larger, deeper or has more parts or patterns than
	// is checked.
	ErrTooLarge = errors.New("the schema is too large to be checked")
	// ErrRemote: the schema refers to another document, which is never fetched.
	ErrRemote = errors.New("the schema refers to another document: write it in one piece")
	// ErrInvalid: the schema is not one that can be understood.
	ErrInvalid = errors.New("the schema cannot be understood")
	// ErrTooMuchWork: comparing with the schema would take too long, whatever the
	// value if Compile says it, and with this value if Check does.
	ErrTooMuchWork = errors.New("comparing with the schema takes too much work")
)

// Schema is a compiled schema. It never changes.
type Schema struct {
	root   *node
	weight int
}

// Weight is about how many bytes of memory the schema keeps.
func (s *Schema) Weight() int { return s.weight }

// node is one subschema. Absent keywords are zero; a pointer tells 0 from
// absent.
type node struct {
	never bool // the schema false
	ref   *node

	types   []string
	wanted  string          // types, as they are told to the model
	allowed map[string]bool // enum and const, in canonical form; nil if any value may be
	choices string          // allowed, as it is told to the model

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

// The schemas true and false are the same wherever they stand.
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
		return nil, fmt.Errorf("%w: it refers to itself in a circle, or to the same parts again and again", ErrTooMuchWork)
	}
	return &Schema{root: root, weight: len(raw) + len(c.nodes)*600 + c.instructions*40}, nil
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
