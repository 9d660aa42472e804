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
	on, method := chain[:len(chain)-1], chain[len(chain)-1]
	said := nameWords(strings.TrimSuffix(method.Name, "Command"))
	if len(said) > 1 && said[0] == "begin" {
		said = said[1:]
	}
	use = Use{What: Destroy, Known: true, Recursive: true}
	switch {
	case len(said) == 0:
	case c.is("makes", said[0]): // something that costs money: what its name says, or what it is called on
		use.What, use.Recursive = Apply, false
		use.Text = c.thing("costly", said[1:], method)
		if rest := strings.Join(said[1:], " "); len(on) > 0 && (rest == "" || rest == "or update") {
			use.Text = c.thing("costly", nameWords(on[len(on)-1].Name), method)
		}
	case !c.is("ends", said[0]):
	case len(said) > 1 && c.some("parts", said[1:]):
		use.Text, use.Recursive = strings.Join(said[1:], " "), false
	case len(said) > 1:
		use.Text = c.thing("wide", said[1:], method)
	case len(on) > 0:
		use.Text = c.calledOn(on, method, said[0])
	}
	return use, use.Text != "" && !trial && !here, here
}

func (c *Cloud) some(set string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return c.is(set, w) })
}

// thing is what some words say with what a method is told, if one of them is in a set and none
// is a part of such a thing.
func (c *Cloud) thing(set string, words []string, method Link) string {
	if !c.some(set, words) || c.some("parts", words) {
		return ""
	}
	return strings.TrimSpace(strings.Join(words, " ") + " " + method.Text)
}

// calledOn is what a method takes away whose name does not say it: what it is called on
// does, but not bucket.Object('x').delete().
func (c *Cloud) calledOn(on []Link, method Link, verb string) (object string) {
	last := on[len(on)-1]
	all := c.is("all", last.Name) || last.Name == "filter" && (last.Text == "" || verb == "terminate")
	for i := range on {
		for _, w := range nameWords(on[i].Name) {
			if !all && c.is("parts", w) {
				return ""
			}
			if object != "" || !c.is("wide", w) && (!all || w != "objects" && w != "versions") {
				continue
			}
			told := append(slices.Clone(on[i:]), method)
			at := slices.IndexFunc(told, func(link Link) bool { return link.Text != "" })
			object = strings.TrimSpace(w + " " + told[max(at, 0)].Text)
		}
	}
	return object
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
