package call

import (
	"bytes"
	"embed"
	"errors"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

//go:embed *.yaml
var files embed.FS

// list is a list of words in YAML, written as one text.
type list []string

// UnmarshalText implements encoding.TextUnmarshaler.
func (l *list) UnmarshalText(text []byte) error {
	*l = strings.Fields(string(text))
	return nil
}

// knowledge is what tools.yaml and members.yaml say: lists of words by what they mean.
type knowledge struct {
	Tools        map[Kind]list     `yaml:"tools"`
	Names        map[string]list   `yaml:"names"`
	Languages    map[string]list   `yaml:"languages"`
	Words        map[string]list   `yaml:"words"`
	Programs     map[string]list   `yaml:"programs"`
	Page         map[string]list   `yaml:"page"`
	Interpreters map[string]list   `yaml:"interpreters"`
	Members      map[field]list    `yaml:"members"`
	Contents     map[part]list     `yaml:"contents"`
	Kinds        map[string]list   `yaml:"kinds"`
	Roles        map[string]list   `yaml:"roles"`
	Operands     map[string]list   `yaml:"operands"`
	Containers   map[string]list   `yaml:"containers"`
	Lookalikes   map[string]string `yaml:"lookalikes"`
	Examples     []example         `yaml:"examples"`

	tools, folded       map[string]tool // by their names in lower case, and without the signs that join words
	names               map[string]*names
	wordLists           map[string][]string // that a word is in
	languages, programs map[string]string
	fields              map[string]field
	parts               map[string]part
	letters             map[rune]rune // by those that look like them
}

// example is a call with effects that it must have.
type example struct {
	Call string   `yaml:"call"`
	Want []string `yaml:"want"`
}

// touchOf says what the tools of a kind do with the paths that they are given.
var touchOf = map[Kind]touch{KindRead: reads, KindWrite: writes, KindEdit: writes, kindVerb: byVerb}

// kindVerb is that of tools that edit files, or what a member says.
const kindVerb Kind = "verb"

// tables are what is known, parsed when they are asked for. They are not changed.
var tables = sync.OnceValue(func() *knowledge {
	k := &knowledge{tools: map[string]tool{}, folded: map[string]tool{}, names: map[string]*names{}, wordLists: map[string][]string{}, letters: map[rune]rune{}}
	decode("tools.yaml", k)
	decode("members.yaml", k)
	for kind, names := range k.Tools {
		for _, name := range names {
			k.add(tool{name: name, kind: kind, touch: touchOf[kind]})
		}
	}
	for what, list := range k.Names {
		n := &names{}
		for _, name := range list {
			if part := strings.Trim(name, "*"); part != name {
				n.parts = append(n.parts, []byte(part))
			} else {
				n.whole = append(n.whole, name)
			}
		}
		k.names[what] = n
	}
	for what, list := range k.Words {
		for _, word := range list {
			k.wordLists[word] = append(k.wordLists[word], what)
		}
	}
	for letter, others := range k.Lookalikes {
		for _, other := range others {
			k.letters[other] = rune(letter[0])
		}
	}
	k.languages, k.programs, k.fields, k.parts = inverse(k.Languages), inverse(k.Programs), inverse(k.Members), inverse(k.Contents)
	return k
})

// decode reads a file of this package, whose mistakes tests find.
func decode(name string, into any) {
	data, err := files.ReadFile(name)
	if err = errors.Join(err, yaml.Unmarshal(data, into)); err != nil {
		panic(err) //nolint:forbidigo // it is embedded, and read by every test
	}
}

// add adds a tool. Of several that are alike but for what joins their words, each does the
// same.
func (k *knowledge) add(of tool) {
	if of.kind == kindVerb {
		of.kind = KindEdit
	}
	k.tools[strings.ToLower(of.name)] = of
	if f := folded(of.name); k.folded[f].name == "" || of.name < k.folded[f].name {
		k.folded[f] = of
	}
}

// inverse says what each word of the lists means.
func inverse[M comparable](lists map[M]list) map[string]M {
	meaning := map[string]M{}
	for what, list := range lists {
		for _, word := range list {
			meaning[word] = what
		}
	}
	return meaning
}

// names are names as a whole, and parts that make any name one of them.
type names struct {
	whole []string
	parts [][]byte
}

// means reports whether a name of a tool or a server is in a list of tools.yaml.
func means(name, what string) bool {
	n := tables().names[what]
	b := fold(make([]byte, 0, 2*mostName), name)
	return slices.Contains(n.whole, string(b)) || slices.ContainsFunc(n.parts, func(part []byte) bool { return bytes.Contains(b, part) })
}

// says reports whether one of the words of a name is in a list of tools.yaml.
func says(words []string, what string) bool {
	of := tables().wordLists
	return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(of[word], what) })
}

// isKind reports whether a member is in a list of members.yaml.
func isKind(key []byte, kind string) bool {
	var room [mostKey]byte
	return slices.Contains(tables().Kinds[kind], string(foldKey(room[:0], key)))
}
