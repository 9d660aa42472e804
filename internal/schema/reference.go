package schema

import (
	"net/url"
	"strconv"
	"strings"
)

// target resolves a $ref.
func (c *compiler) target(ref string) (*node, error) {
	document, fragment, _ := strings.Cut(ref, "#")
	if document != "" && document != strings.TrimSuffix(c.id, "#") {
		return nil, ErrRemote
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
		if value == nil {
			break
		}
		if step != "" { // the first, or an empty name, which no schema has
			value = inside(value, unescaped.Replace(step))
		}
	}
	if value == nil {
		return nil, invalid(ref, "refers to nothing")
	}
	return c.node(value, ref)
}

// unescaped decodes a step of a reference.
var unescaped = strings.NewReplacer("~1", "/", "~0", "~")

// inside returns a member or an item of a value, or nil.
func inside(value any, step string) any {
	switch v := value.(type) {
	case map[string]any:
		return v[step]
	case []any:
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(v) {
			return v[i]
		}
	}
	return nil
}

func collectAnchors(value any, found map[string]any) {
	switch v := value.(type) {
	case map[string]any:
		if name, ok := v["$anchor"].(string); ok {
			found[name] = v
		}
		for _, member := range sorted(v) {
			collectAnchors(member, found)
		}
	case []any:
		for _, item := range v {
			collectAnchors(item, found)
		}
	}
}
