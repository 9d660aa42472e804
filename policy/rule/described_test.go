package rule_test

import (
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/policy/command"
)

// described are the built-in programs with some more.
func described(t *testing.T, text string) *command.Catalogue {
	t.Helper()
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	programs, mistakes := command.ParseSources(command.Builtin(), nil, command.Source{File: "mine.yaml", Programs: document.Content[0]})
	for _, err := range mistakes {
		t.Fatal(err)
	}
	return programs
}
