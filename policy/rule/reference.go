package rule

import (
	_ "embed"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/policy/internal/advice"
)

// Section is a part of the reference: everything of one kind.
type Section struct {
	Name    string  `json:"name"`
	Title   string  `json:"title"`
	Text    string  `json:"text,omitempty"`
	Entries []Entry `json:"entries"`
}

// Entry is one construct, with an example.
type Entry struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Doc     string `json:"doc"`
	Example string `json:"example,omitempty"`
}

// reference describes the variables and the members of the types.
//
//go:embed reference.yaml
var reference []byte

// Reference lists what conditions can use: the variables, the members of each
// type and the functions.
func Reference() []Section {
	var described []struct {
		Section `yaml:",inline"`

		Type string
	}
	if err := yaml.Unmarshal(reference, &described); err != nil {
		panic(err) //nolint:forbidigo // it is embedded, and read by a test
	}
	sections := make([]Section, len(described))
	for i, d := range described {
		for j := range d.Entries {
			e := &d.Entries[j]
			if f := fields[d.Type][e.Name]; f != nil {
				e.Type = advice.Documented(f.typ)
			}
			for _, v := range advice.Variables {
				if d.Type == "" && v.Name == e.Name {
					e.Type = advice.Documented(v.Type)
				}
			}
		}
		if d.Type != "" {
			d.Title = "Members of " + d.Name
		}
		sections[i] = d.Section
	}
	functions := &sections[len(sections)-1]
	for _, d := range advice.FunctionDocs {
		functions.Entries = append(functions.Entries, Entry{d.Name, d.Usage, d.Doc, d.Example})
	}
	return sections
}
