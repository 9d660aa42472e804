package call

import (
	"bytes"
	"embed"
	"maps"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

//go:embed tools.yaml members.yaml
var files embed.FS

// knowledge is what tools.yaml and members.yaml say: lists of words by what they mean.
type knowledge struct {
	Tools      map[Kind]string   `yaml:"tools"`
	Names      map[string]string `yaml:"names"`
	Languages  map[string]string `yaml:"languages"`
	Words      map[string]string `yaml:"words"`
	Programs   map[string]string `yaml:"programs"`
	Members    map[string]string `yaml:"members"`
	Contents   map[string]string `yaml:"contents"`
	Kinds      map[string]string `yaml:"kinds"`
	Roles      map[string]string `yaml:"roles"`
	Operands   map[string]string `yaml:"operands"`
	Containers map[string]string `yaml:"containers"`
	Examples   []example         `yaml:"examples"`
}

// example is a call with effects that it must have.
type example struct {
	Call string   `yaml:"call"`
	Want []string `yaml:"want"`
}

// table is the knowledge as it is asked. It is not changed.
type table struct {
	tools  map[string]tool // by their names in lower case
	folded map[string]tool // without the signs that join words
	names  map[string]*names
	words  map[string][]string // the lists that a word is in
	// languages, programs, fields and parts are what words and members mean.
	languages, programs         map[string]string
	fields                      map[string]field
	parts                       map[string]part
	kinds                       map[string]map[string]bool
	roles, operands, containers map[string][]string
	looks                       []string
	examples                    []example
}

// touchOf says what the tools of a kind do with the paths that they are given.
var touchOf = map[Kind]touch{KindRead: reads, KindWrite: writes, KindEdit: writes, "verb": byVerb}

var tables = sync.OnceValue(func() *table {
	k, err := load()
	if err != nil {
		panic(err) //nolint:forbidigo // it is embedded, and read by every test
	}
	return k.index()
})

func load() (k knowledge, err error) {
	for _, name := range []string{"tools.yaml", "members.yaml"} {
		data, err := files.ReadFile(name)
		if err != nil {
			return k, err
		}
		decoder := yaml.NewDecoder(bytes.NewReader(data))
		decoder.KnownFields(true)
		if err := decoder.Decode(&k); err != nil {
			return k, err
		}
	}
	return k, nil
}

func (k *knowledge) index() *table {
	t := &table{
		tools: map[string]tool{}, folded: map[string]tool{}, names: map[string]*names{}, words: map[string][]string{}, kinds: map[string]map[string]bool{},
		languages: inverse[string](k.Languages), programs: inverse[string](k.Programs), fields: inverse[field](k.Members), parts: inverse[part](k.Contents),
		roles: lists(k.Roles), operands: map[string][]string{}, containers: lists(k.Containers), looks: strings.Fields(k.Words["looks"]), examples: k.Examples,
	}
	for kind, list := range k.Tools {
		for name := range strings.FieldsSeq(list) {
			t.add(tool{name: name, kind: kind, touch: touchOf[kind]})
		}
	}
	for what, list := range k.Names {
		t.names[what] = newNames(list)
	}
	for _, what := range slices.Sorted(maps.Keys(k.Words)) {
		for word := range strings.FieldsSeq(k.Words[what]) {
			t.words[word] = append(t.words[word], what)
		}
	}
	for what, list := range k.Kinds {
		t.kinds[what] = setOf(list)
	}
	for programs, list := range k.Operands {
		for program := range strings.FieldsSeq(programs) {
			t.operands[program] = strings.Fields(list)
		}
	}
	return t
}

// add adds a tool. Of several that are alike but for what joins their words, each does the
// same.
func (t *table) add(of tool) {
	if of.kind == "verb" {
		of.kind = KindEdit
	}
	key := strings.ToLower(of.name)
	t.tools[key] = of
	if f := folded(key); t.folded[f].name == "" || of.name < t.folded[f].name {
		t.folded[f] = of
	}
}

func setOf(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}

func lists(of map[string]string) map[string][]string {
	split := map[string][]string{}
	for what, list := range of {
		split[what] = strings.Fields(list)
	}
	return split
}

// inverse says what each word of the lists means.
func inverse[M ~string](lists map[string]string) map[string]M {
	meaning := map[string]M{}
	for what, list := range lists {
		for word := range strings.FieldsSeq(list) {
			meaning[word] = M(what)
		}
	}
	return meaning
}

// names are names as a whole, and parts that make any name one of them.
type names struct {
	whole map[string]bool
	parts [][]byte
}

func newNames(list string) *names {
	n := &names{whole: map[string]bool{}}
	for name := range strings.FieldsSeq(list) {
		if part := strings.Trim(name, "*"); part != name {
			n.parts = append(n.parts, []byte(part))
		} else {
			n.whole[name] = true
		}
	}
	return n
}

// means reports whether a name of a tool or a server is one of a list of tools.yaml.
func means(name, what string) bool {
	n := tables().names[what]
	b := appendFolded(make([]byte, 0, 2*mostName), name)
	return n.whole[string(b)] || slices.ContainsFunc(n.parts, func(part []byte) bool { return bytes.Contains(b, part) })
}

// says reports whether one of the words of a name is in a list of tools.yaml.
func says(words []string, what string) bool {
	of := tables().words
	return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(of[word], what) })
}

// isKind reports whether a member is in a list of members.yaml.
func isKind(key []byte, kind string) bool {
	var room [mostKey]byte
	return tables().kinds[kind][string(foldKey(room[:0], key))]
}
