package rule_test

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
)

// The reference has every variable, member and function, and its examples compile.
func TestReferenceIsWhole(t *testing.T) {
	t.Parallel()

	said := map[string]bool{}
	for _, s := range rule.Reference() {
		for _, e := range s.Entries {
			said[s.Name+"."+e.Name] = true
			if e.Doc == "" || e.Type == "" || s.Name != "variables" && e.Example == "" {
				t.Errorf("%s.%s is not documented: %+v", s.Name, e.Name, e)
			}
			if e.Example == "" {
				continue
			}
			source := e.Example
			switch s.Name {
			case "command":
				source = "call.commands.exists(c, " + source + ")"
			case "effect":
				source = "call.effects.exists(e, " + source + ")"
			case "message":
				source = "request.messages.exists(m, " + source + ")"
			}
			o := rule.Options{}
			if strings.HasPrefix(source, "result") || strings.HasPrefix(source, "text") {
				o.Applies = policy.KindsOf(llm.ToolResult)
			}
			p, err := rule.Compile(source, o)
			if err != nil {
				t.Errorf("%s.%s: %v", s.Name, e.Name, err)
			} else if w := p.Warnings(); len(w) > 0 {
				t.Errorf("%s.%s: %v", s.Name, e.Name, w[0])
			}
		}
	}
	for _, name := range rule.Documentable() {
		if !said[name] {
			t.Errorf("%s is not in the reference", name)
		}
		delete(said, name)
	}
	for name := range said {
		t.Errorf("%s is in the reference and does not exist", name)
	}
}
