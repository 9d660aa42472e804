package sql

import "strings"

// cursor walks over the tokens of a statement.
type cursor struct {
	tokens []token
	at     int
}

// word takes the next token and returns its upper.
func (c *cursor) word() string {
	if c.at >= len(c.tokens) {
		return ""
	}
	c.at++
	return c.tokens[c.at-1].upper
}

// peek returns what word would, without taking it.
func (c *cursor) peek() string {
	if c.at >= len(c.tokens) {
		return ""
	}
	return c.tokens[c.at].upper
}

// skip takes each of the words that is next, in this order.
func (c *cursor) skip(words ...string) {
	for _, word := range words {
		if c.peek() == word {
			c.at++
		}
	}
}

func (c *cursor) rest() []token { return c.tokens[min(c.at, len(c.tokens)):] }

// name takes a name of one or more parts: schema.table.
func (c *cursor) name() string {
	var b strings.Builder
	for c.at < len(c.tokens) {
		t := c.tokens[c.at]
		switch {
		case t.upper == "#" || t.upper == "%" || t.upper == "." || t.upper == "?" || t.upper == ":" && b.Len() == 0:
		case t.upper != "" && !isWordByte(t.text[0]):
			return b.String()
		}
		b.WriteString(t.text)
		c.at++
		if t.upper != "#" && t.upper != "." && t.upper != ":" && c.peek() != "." {
			break
		}
	}
	return b.String()
}

// names takes a list of names.
func (c *cursor) names() []string {
	var list []string
	for {
		name := c.name()
		if name == "" {
			return list
		}
		list = append(list, name)
		if c.peek() != "," || len(list) >= maxEffects {
			return list
		}
		c.at++
		c.skip("ONLY")
	}
}
