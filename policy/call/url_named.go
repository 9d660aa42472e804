package call

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/policy/effect"
)

// namedAddresses adds the addresses that the arguments of a tool name, whatever the
// arguments are called: each text that is one as a whole. It fetches only those that are
// arguments for addresses, and connects to all databases.
func (c *Call) namedAddresses() {
	switch c.Kind {
	case KindFetch, KindMCP, KindOther:
	case KindShell, KindRead, KindWrite, KindEdit, KindTask: // their arguments are commands, paths and contents
		return
	}
	if c.freeform || !strings.Contains(c.Raw, "//") && strings.IndexByte(c.Raw, '\\') < 0 {
		return
	}
	var s jsonscan.Scanner
	if data := jsonscan.View(c.Raw); jsonscan.Valid(data) == nil {
		s.Reset(data)
		c.addressesIn(&s, 0)
	}
}

// addressesIn adds those in a value of the arguments.
func (c *Call) addressesIn(s *jsonscan.Scanner, depth int) {
	kind := s.Kind()
	switch {
	case kind == jsonscan.String:
		text, _ := jsonscan.Text(s.Raw())
		c.namedAddress(strings.TrimSpace(text))
	case depth >= maxNest:
		s.Skip()
	case kind == jsonscan.Object:
		s.Object()
		for key, ok := s.Key(); ok; key, ok = s.Key() {
			if fieldOf(key) == fieldContent {
				s.Skip()
				continue
			}
			c.addressesIn(s, depth+1)
		}
	case kind == jsonscan.Array:
		s.Array()
		for s.Elem() {
			c.addressesIn(s, depth+1)
		}
	default:
		s.Skip()
	}
}

// namedAddress adds a text that is an address.
func (c *Call) namedAddress(text string) {
	if !strings.Contains(text, "://") || strings.ContainsAny(text, " \t\r\n\"'<>`|") {
		return
	}
	switch url := strings.TrimPrefix(text, "jdbc:"); {
	case isDatabaseURL(url):
		if !slices.Contains(c.URLs, text) {
			c.addURL(url)
		}
		c.affect(&effect.Effect{Verb: effect.Connect, Object: url, How: c.Name, Command: -1})
	case isHTTP(text):
		c.addURL(text)
	}
}
