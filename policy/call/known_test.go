package call

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/llm"
)

func TestExamplesOfToolsHaveTheEffectsTheySay(t *testing.T) {
	for _, e := range tables().Examples {
		name, arguments, _ := strings.Cut(e.Call, " ")
		c := Read(&llm.Block{Kind: llm.ToolCall, Type: "tool_use", Name: name, Arguments: arguments, Status: llm.Complete}, Place{Cwd: "/home/u/p", Home: "/home/u"})
		var got []string
		for i := range c.Effects {
			got = append(got, c.Effects[i].String())
		}
		for _, want := range e.Want {
			if !slices.Contains(got, want) {
				t.Errorf("%s does %q, want %q", e.Call, got, want)
			}
		}
	}
}

func TestTablesHaveNoUnknownKeys(t *testing.T) {
	for name, into := range map[string]any{"tools.yaml": &knowledge{}, "members.yaml": &knowledge{}, "later.yaml": &laterTable{}} {
		data, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		decoder := yaml.NewDecoder(bytes.NewReader(data))
		decoder.KnownFields(true)
		if err := decoder.Decode(into); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A list that the code asks for and that is not there would be asked for in vain.
func TestListsThatAreAskedForAreThere(t *testing.T) {
	asked := regexp.MustCompile(`\b(says|means|isKind)\([^"]*"([a-z-]+)"\)|Roles\["([a-z-]+)"\]|\.role\("([a-z]+)"\)`)
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		for _, m := range asked.FindAllStringSubmatch(string(text), -1) {
			var there bool
			switch m[1] {
			case "says":
				_, there = tables().Words[m[2]]
			case "means":
				_, there = tables().Names[m[2]]
			case "isKind":
				_, there = tables().Kinds[m[2]]
			default:
				_, there = tables().Roles[m[3]+m[4]]
			}
			if !there {
				t.Errorf("%s: there is no list for %s", source, m[0])
			}
		}
	}
	for _, role := range actRoles {
		if tables().Roles[role] == nil {
			t.Errorf("there is no role %s", role)
		}
	}
}
