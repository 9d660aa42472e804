package library

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/sluice-project/sluice/policy/internal/describe"
)

// Cloud knows the libraries by which programs talk to a cloud.
type Cloud struct {
	sets map[string][]string
}

// Link is one step of a chain of calls, such as Bucket('a') in
// boto3.resource('s3').Bucket('a').delete().
type Link struct {
	Name string
	// Text is the first of its arguments that is known, if any.
	Text string
}

// Clouds returns what is known of the libraries of clouds.
var Clouds = sync.OnceValue(func() *Cloud {
	data, err := files.ReadFile("clouds.yaml")
	if err != nil {
		panic(err) //nolint:forbidigo // it is embedded
	}
	c := &Cloud{sets: map[string][]string{}}
	err = describe.Entries(string(data), func(name, text string, line int) error {
		_, n, err := (&describe.Reader{File: "clouds.yaml", Offset: line, Of: name}).Parse(text)
		if err == nil {
			c.sets[name] = describe.Scalars(n)
		}
		return err
	})
	if err != nil {
		panic(err) //nolint:forbidigo // it is embedded, and read by a test
	}
	return c
})

func (c *Cloud) is(set, word string) bool { return slices.Contains(c.sets[set], word) }

// Named reports whether a program names one of the libraries.
func (c *Cloud) Named(program string) bool {
	return slices.ContainsFunc(c.sets["libraries"], func(name string) bool { return strings.Contains(program, name) })
}

// Argument is what is known of an argument of a call: its name, if it has one, its text,
// and whether it counts as true.
type Argument struct {
	Name, Text  string
	Known, True bool
}

// Call is what the last call of a chain does, if it does something, and whether what it
// talks to is on the same machine, which is known of what it is called on or is said by
// an argument.
func (c *Cloud) Call(chain []Link, args []Argument, here bool) (use Use, does, local bool) {
	trial := false
	for i := range args {
		a := &args[i]
		trial = trial || a.Known && a.True && c.is("trials", a.Name)
		here = here || a.Known && c.isHere(a.Name, a.Text)
	}
	last := len(chain) - 1
	what, object, wide := c.does(chain[:last], chain[last])
	return Use{What: what, Text: object, Known: true, Recursive: wide}, object != "" && !trial && !here, here
}

// isHere reports whether an argument says that the cloud is on the same machine.
func (c *Cloud) isHere(name, address string) bool {
	u, err := url.Parse(address)
	if err != nil || !c.is("places", name) {
		return false
	}
	switch u.Hostname() {
	case "localhost", "127.0.0.1", "::1", "0.0.0.0", "host.docker.internal", "localstack", "minio":
		return true
	}
	return false
}

// does is what a method does that is called on a chain of others: it takes something
// away, and whether that is much, or makes something that costs money. Of most methods
// the object is empty.
func (c *Cloud) does(on []Link, method Link) (what What, object string, wide bool) {
	said := nameWords(strings.TrimSuffix(method.Name, "Command"))
	if len(said) > 1 && said[0] == "begin" {
		said = said[1:]
	}
	switch {
	case len(said) == 0:
		return 0, "", false
	case c.is("makes", said[0]):
		return Apply, c.cost(on, method, said[1:]), false
	default:
		object, wide = c.loss(on, method, said)
		return Destroy, object, wide
	}
}

// cost is what a method makes that costs money: what its name says, or what it is called
// on.
func (c *Cloud) cost(on []Link, method Link, things []string) string {
	costs := func(words []string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return c.is("costly", w) }) && !slices.ContainsFunc(words, func(w string) bool { return c.is("parts", w) })
	}
	if costs(things) {
		return strings.TrimSpace(strings.Join(things, " ") + " " + method.Text)
	}
	if len(things) > 0 && strings.Join(things, " ") != "or update" || len(on) == 0 {
		return ""
	}
	if last := nameWords(on[len(on)-1].Name); costs(last) {
		return strings.TrimSpace(strings.Join(last, " ") + " " + method.Text)
	}
	return ""
}

// loss is what a method takes away, by the words of its name, and whether that is much.
func (c *Cloud) loss(on []Link, method Link, said []string) (object string, wide bool) {
	switch {
	case !c.is("ends", said[0]):
		return "", false
	case len(said) == 1:
		return c.lossOf(on, method, said[0])
	}
	things := said[1:]
	object = strings.Join(things, " ")
	switch {
	case slices.ContainsFunc(things, func(w string) bool { return c.is("parts", w) }):
		return object, false
	case slices.ContainsFunc(things, func(w string) bool { return c.is("wide", w) }):
		return strings.TrimSpace(object + " " + method.Text), true
	}
	return "", false
}

// lossOf is loss for a method whose name does not say what: what it is called on does.
func (c *Cloud) lossOf(on []Link, method Link, verb string) (object string, wide bool) {
	if len(on) == 0 {
		return "", false
	}
	last := on[len(on)-1]
	all, part := c.is("all", last.Name) || last.Name == "filter" && (last.Text == "" || verb == "terminate"), false
	things := make([][]string, len(on))
	for i := range on {
		things[i] = nameWords(on[i].Name)
		part = part || slices.ContainsFunc(things[i], func(w string) bool { return c.is("parts", w) })
	}
	if part && !all { // bucket.Object('x').delete()
		return "", false
	}
	for i := range on {
		for _, w := range things[i] {
			if !c.is("wide", w) && (!all || w != "objects" && w != "versions") {
				continue
			}
			for _, link := range append(slices.Clone(on[i:]), method) {
				if link.Text != "" {
					return w + " " + link.Text, true
				}
			}
			return w, true
		}
	}
	return "", false
}

// nameWords are the words of a name in lower case.
func nameWords(name string) []string {
	for range 2 { // a word may have one letter
		name = wordStarts.ReplaceAllString(name, "${1}${3}_${2}${4}")
	}
	return strings.FieldsFunc(strings.ToLower(name), func(c rune) bool { return c == '_' })
}

// wordStarts are the places within a name at which capitals begin a word.
var wordStarts = regexp.MustCompile(`([^A-Z_])([A-Z])|([A-Z])([A-Z][a-z])`)

// Links are the steps that a name with dots stands for.
func Links(name string) []Link {
	var links []Link
	for part := range strings.SplitSeq(name, ".") {
		links = append(links, Link{Name: part})
	}
	return links
}
