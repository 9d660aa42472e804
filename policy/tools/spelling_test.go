package tools_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/tools"
)

// spelledWays are the ways in which the words of a name are written. oneWord are those in
// which it cannot be seen where a word ends.
func spelledWays(words ...string) (ways, oneWord []string) {
	capital := func(list []string) []string {
		made := make([]string, len(list))
		for i, w := range list {
			made[i] = strings.ToUpper(w[:1]) + w[1:]
		}
		return made
	}
	for _, joint := range []string{"_", "-"} {
		whole := strings.Join(words, joint)
		ways = append(ways, whole, strings.ToUpper(whole), strings.Join(capital(words), joint), strings.ToUpper(whole[:3])+whole[3:])
	}
	pascal := strings.Join(capital(words), "")
	ways = append(ways, pascal, words[0]+strings.Join(capital(words[1:]), ""))
	whole := strings.Join(words, "")
	return ways, []string{whole, strings.ToUpper(whole)}
}

// A name on a list means the same in every spelling, on both sides, and whoever's tool it is.
func TestTheSpellingOfANameDoesNotCount(t *testing.T) {
	t.Parallel()

	verdict := func(c tools.Config, name, client string) policy.Action {
		p, err := tools.New(c)
		if err != nil {
			t.Fatal(err)
		}
		block := llm.Block{Kind: llm.ToolCall, Status: llm.Complete, Name: name, Arguments: `{}`}
		return p.Judge(t.Context(), policy.NewSubject(&policy.Exchange{Session: policy.Session{Client: client}}, block)).Action
	}
	for _, words := range [][]string{{"transfer", "money"}, {"delete", "issue", "comment"}, {"get", "url", "2"}} {
		ways, oneWord := spelledWays(words...)
		for _, listed := range ways {
			for _, name := range append(ways, oneWord...) {
				for _, form := range []string{"%s", "functions.%s", "mcp__bank__%s", "mcp__Bank-1__%s", "bank/%s"} {
					called := fmt.Sprintf(form, name)
					if got := verdict(tools.Config{Deny: []string{listed}}, called, ""); got != policy.Block {
						t.Errorf("deny %s: %s passes", listed, called)
					}
				}
				for _, client := range []string{"claude-code", ""} {
					want := policy.Allow
					if client == "" && (name == oneWord[0] || name == oneWord[1]) && strings.ContainsAny(listed, "_-") {
						want = policy.Block
					}
					if got := verdict(tools.Config{Allow: []string{listed}}, name, client); got != want {
						t.Errorf("allow %s for %s: %s gets %s", listed, client, name, got)
					}
				}
				for _, server := range []string{"TFC", "tfc", "t-f-c", "t_f_c"} {
					for _, entry := range []string{"mcp__tfc__" + listed, "tfc/" + listed, "mcp__tfc__*"} {
						called := "mcp__" + server + "__" + name
						if verdict(tools.Config{Allow: []string{entry}}, called, "") != policy.Allow {
							t.Errorf("allow %s: %s is blocked", entry, called)
						}
						if verdict(tools.Config{Deny: []string{entry}}, called, "") != policy.Block {
							t.Errorf("deny %s: %s passes", entry, called)
						}
					}
				}
				for _, other := range []string{"mcp__evil__" + name, "evil/" + name, "evil__" + name} {
					if verdict(tools.Config{Allow: []string{listed, "mcp__tfc__*", "tfc/" + listed}}, other, "") != policy.Block {
						t.Errorf("allow %s: %s passes", listed, other)
					}
				}
			}
			star := words[0] + "_*"
			for _, name := range append(ways, oneWord...) {
				if verdict(tools.Config{Deny: []string{star}}, name, "") != policy.Block {
					t.Errorf("deny %s: %s passes", star, name)
				}
			}
		}
	}
}

// A list does not become wider than the names that a client takes for the tool.
func TestOtherNamesAreOtherTools(t *testing.T) {
	t.Parallel()

	for _, c := range []struct{ entry, name string }{
		{"transfer_money", "transfer_monies"}, {"transfer_money", "money_transfer"}, {"delete_*", "deleted_items"}, {"delete_*", "undelete_x"},
		{"mcp_git_*", "mcp_github_x"}, {"mcp__git__*", "mcp__github__x"}, {"git/*", "github/x"}, {"mcp__git_*", "mcp__github__x"}, {"mcp/*", "mcp__github__x"},
		{"github_create", "git_hubcreate"}, {"github_create", "git_hub_create"}, {"mcp__a__b_c", "mcp__a_b__c"}, {"a__b", "mcp__a__b__c"},
	} {
		block := llm.Block{Name: c.name, Arguments: `{}`}
		if v := judge(t, tools.Config{Allow: []string{c.entry}}, block); v.Action != policy.Block {
			t.Errorf("allow %s: %s passes", c.entry, c.name)
		}
	}
	for _, c := range []struct{ entry, name string }{
		{"transfer_money", "transfer_monies"}, {"delete_*", "deleted_items"}, {"get_*", "gettys_image"}, {"mcp_git_*", "mcp_github_x"}, {"mcp__git__*", "mcp__github__x"},
	} {
		if v := judge(t, tools.Config{Deny: []string{c.entry}}, llm.Block{Name: c.name, Arguments: `{}`}); v.Action != policy.Allow {
			t.Errorf("deny %s: %s is denied", c.entry, c.name)
		}
	}
}
