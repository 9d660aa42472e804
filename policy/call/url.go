package call

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// addresses reads the URLs in the arguments.
func (c *Call) addresses(t *tool, m members) {
	for i := range m {
		v := &m[i]
		switch {
		case v.field == fieldURL:
			for _, text := range v.texts() {
				c.url(text, t.kind == KindFetch)
			}
			if !v.isTexts() && v.kind != jsonscan.Null {
				c.doubt(Shape, Incomplete{URLs: true})
			}
		case v.field == fieldPrompt && t.kind == KindFetch && v.kind == jsonscan.String:
			c.urlsIn(v.text)
		}
	}
}

// url adds an address. Tools that fetch do not need a scheme.
func (c *Call) url(text string, fetches bool) {
	text = strings.TrimPrefix(strings.TrimSpace(text), "view-source:")
	if len(text) > len("javascript:") && strings.EqualFold(text[:len("javascript:")], "javascript:") {
		c.inPage(text[len("javascript:"):])
		return
	}
	if isHTTP(text) || isDatabaseURL(strings.TrimPrefix(text, "jdbc:")) || fetches && !strings.HasPrefix(text, "file:") {
		c.addURL(text)
	}
}

func isHTTP(text string) bool {
	return len(text) > 7 && (strings.EqualFold(text[:7], "http://") || len(text) > 8 && strings.EqualFold(text[:8], "https://"))
}

// urlsIn adds the addresses in a text.
func (c *Call) urlsIn(text string) {
	for {
		i := strings.Index(text, "://")
		if i < 0 {
			return
		}
		start := i
		for start > 0 && i-start < longestScheme && isSchemeByte(text[start-1]) {
			start--
		}
		end := i + 3
		for end < len(text) && strings.IndexByte(" \t\r\n\"'<>`|\\^{}", text[end]) < 0 {
			end++
		}
		scheme := strings.ToLower(text[start:i])
		at := strings.LastIndex(scheme, "http")
		switch {
		case end == i+3:
		case at >= 0 && (scheme[at:] == "http" || scheme[at:] == "https"):
			c.addURL(strings.TrimRight(text[start+at:end], ".,;)]"))
		case isDatabase(scheme):
			c.addURL(strings.TrimRight(text[start:end], ".,;)]"))
		}
		text = text[end:]
	}
}

// longestScheme is longer than the schemes that are looked for.
const longestScheme = 24

func isSchemeByte(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '+'
}

// isDatabase reports whether a scheme is that of the address of a database, a cache or
// a queue, with or without the name of a driver: postgres, mysql+pymysql.
func isDatabase(scheme string) bool {
	name, _, _ := strings.Cut(scheme, "+")
	return says([]string{name}, "schemes")
}

// isDatabaseURL reports whether an address is one of these.
func isDatabaseURL(url string) bool {
	scheme, _, ok := strings.Cut(url, "://")
	return ok && isDatabase(strings.ToLower(scheme))
}

// commandURLs adds the addresses that a command names, where they are not in a text that it
// only prints or keeps.
func (c *Call) commandURLs(cmd *invocation.Command) {
	if cmd.Name == "echo" || cmd.Name == "printf" || cmd.Name == "git" && (cmd.Sub == "commit" || cmd.Sub == "tag") {
		return
	}
	for _, text := range cmd.Env {
		if isDatabaseURL(strings.TrimPrefix(text, "jdbc:")) {
			c.addURL(text)
		}
	}
	client := says([]string{cmd.Name}, "web-clients")
	before := "" // the argument that this one may be the value of
	for i, arg := range cmd.Args {
		address := strings.Contains(arg, "://")
		value := client && takesValue(before)
		if before = arg; value {
			before = ""
		}
		switch {
		case address:
			c.urlsIn(arg)
			if effect.Expands(arg) && client {
				// In quotes it is one address, and the list has it with its variables.
				one := i < len(cmd.Open) && cmd.Open[i] == invocation.OneWord
				c.doubt(invocation.Variable, Incomplete{URLs: !one})
			}
		case !client || value || strings.HasPrefix(arg, "-"):
		case host.MatchString(arg):
			c.addURL("http://" + arg)
		case strings.HasPrefix(arg, "$"):
			c.doubt(invocation.Variable, Incomplete{URLs: true})
		}
	}
	if client && cmd.More {
		c.doubt(More, Incomplete{URLs: true})
	}
}

// host is what an argument of a web client looks like that can be an address without a scheme:
// example.com/x, localhost:80, 10.0.0.1.
var host = regexp.MustCompile(`^(?:[^/:]*?@)?(?:localhost|[A-Za-z0-9.][A-Za-z0-9.-]*\.[A-Za-z0-9-]+)(?:[:/]|$)`)

// takesValue reports whether the next argument is the value of a flag of curl or
// wget, and not an address.
func takesValue(flag string) bool {
	if long, ok := strings.CutPrefix(flag, "--"); ok {
		return says([]string{long}, "valued")
	}
	// The letter at the end of a cluster has its value in the next argument.
	return len(flag) > 1 && flag[0] == '-' && strings.IndexByte("dFouHXAebTcCmrwxEKUQyYzP", flag[len(flag)-1]) >= 0
}

// namedAddresses adds the addresses that the arguments of a tool name, whatever the
// arguments are called: each text that is one as a whole. It fetches only those that are
// arguments for addresses, and connects to all databases.
func (c *Call) namedAddresses() {
	switch c.Kind {
	case KindFetch, KindMCP, KindOther:
	case KindShell, KindRead, KindWrite, KindEdit, KindTask: // their arguments are commands, paths and contents
		return
	default:
	}
	if c.freeform || !strings.Contains(c.Raw, "//") && strings.IndexByte(c.Raw, '\\') < 0 {
		return
	}
	if jsonscan.Valid(jsonscan.View(c.Raw)) == nil {
		eachText(c.Raw, func(key []byte, _ jsonscan.Kind) bool { return fieldOf(key) != fieldContent }, func(text []byte) {
			c.namedAddress(strings.TrimSpace(string(text)))
		})
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
