package gateway_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
	"github.com/sluice-project/sluice/policy/secret"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// Tokens of two users, made up.
const (
	tokenOfAnn = "ghp_R7kQ2mXv9LtZ4pWn8YcB1sHj6Dg3EuA0oQiZ"
	tokenOfBob = "ghp_Xv9LtZ4pWn8YcB1sHj6Dg3EuA0oQiZR7kQ2m"
)

// keptKey is the key of placeholders that these gateways have.
var keptKey = []byte("a key that stays the same for tests")

func kept() (*secret.Redactor, error) { return secret.NewRedactor(keptKey), nil }

// keeps are the recommended policies with that key, as a gateway has them that
// was started again.
var keeps = sync.OnceValue(func() *policy.Set {
	loaded, err := file.Load(file.Options{Redactor: kept}, "preset:recommended")
	if err != nil {
		panic(err)
	}
	return loaded.Set
})

func placeholderOf(token string) string {
	p, _ := secret.NewRedactor(keptKey).Redact(token, nil)
	return p
}

// twoUsers is a configuration with a key for each of two users.
func twoUsers(c *gateway.Config) {
	c.Policies = policy.NewLive(keeps())
	c.Keys = []gateway.Key{sluiceKey("slk_ann", "ann"), sluiceKey("slk_bob", "bob")}
}

// writing is an answer that writes a text to a file.
func writing(text string) []llm.Block {
	arguments, _ := json.Marshal(map[string]string{"file_path": "/repo/.env", "content": text})
	return []llm.Block{{Kind: llm.Content, Text: "ok"}, {Kind: llm.ToolCall, ID: "call_w", Name: "Write", Arguments: string(arguments)}}
}

// told is a request in which the user says something and a tool has returned
// something; neither is there if it is empty.
func told(format wire.Format, stream bool, says, result string) []byte {
	quoted := func(text string) string { q, _ := json.Marshal(text); return string(q) }
	var turns []string
	add := func(turn string, text ...any) { turns = append(turns, fmt.Sprintf(turn, text...)) }
	body := fmt.Sprintf(`{"model":"m","stream":%t,`, stream)
	switch format {
	case wire.Anthropic:
		add(`{"role":"user","content":%s}`, quoted("hi "+says))
		if result != "" {
			add(`{"role":"assistant","content":[{"type":"tool_use","id":"call_r","name":"Read","input":{"file_path":"/repo/a"}}]}`)
			add(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_r","content":%s}]}`, quoted(result))
		}
		return []byte(body + `"max_tokens":9,"messages":[` + strings.Join(turns, ",") + `]}`)
	case wire.OpenAIResponses:
		add(`{"type":"message","role":"user","content":%s}`, quoted("hi "+says))
		if result != "" {
			add(`{"type":"function_call","call_id":"call_r","name":"Read","arguments":"{}"}`)
			add(`{"type":"function_call_output","call_id":"call_r","output":%s}`, quoted(result))
		}
		return []byte(body + `"input":[` + strings.Join(turns, ",") + `]}`)
	case wire.Gemini:
		add(`{"role":"user","parts":[{"text":%s}]}`, quoted("hi "+says))
		if result != "" {
			add(`{"role":"model","parts":[{"functionCall":{"name":"Read","args":{}}}]}`)
			add(`{"role":"user","parts":[{"functionResponse":{"name":"Read","response":{"output":%s}}}]}`, quoted(result))
		}
		return []byte(`{"contents":[` + strings.Join(turns, ",") + `]}`)
	case wire.OpenAIChat:
	}
	add(`{"role":"user","content":%s}`, quoted("hi "+says))
	if result != "" {
		add(`{"role":"assistant","tool_calls":[{"id":"call_r","type":"function","function":{"name":"Read","arguments":"{}"}}]}`)
		add(`{"role":"tool","tool_call_id":"call_r","content":%s}`, quoted(result))
	}
	return []byte(body + `"messages":[` + strings.Join(turns, ",") + `]}`)
}

// wrote is what the calls of an exchange's answer write, as they left; blocked
// calls write nothing.
func (s *story) wrote() (texts []string) {
	for _, r := range s.records {
		if r.Kind == llm.ToolCall && r.Stage == policy.StageAnswer && r.Delivered {
			var arguments struct {
				Content string `json:"content"`
			}
			_ = json.Unmarshal([]byte(r.Out), &arguments)
			texts = append(texts, arguments.Content)
		}
	}
	return texts
}

// A secret is put back for the user whose tool result has it. Another user gets
// nothing for its placeholder, however it came into the conversation.
func TestASecretIsPutBackForItsOwnerOnly(t *testing.T) {
	t.Parallel()
	ann, bob := placeholderOf(tokenOfAnn), placeholderOf(tokenOfBob)
	for _, format := range wire.Formats() {
		for _, stream := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s stream=%t", format, stream), func(t *testing.T) {
				t.Parallel()
				b := newBench(t, twoUsers)
				ask := func(key, says, result, writes string) (*answer, *story) {
					b.up.Answer(func(*http.Request) sluicetest.Reply { return reply(format, stream, writing(writes)) })
					a := b.do(http.MethodPost, target(format, stream), headers("X-Sluice-Key", key), told(format, stream, says, result))
					if sent := b.lastAsked().Body; a.status != http.StatusOK || bytes.Contains(sent, []byte("ghp_")) {
						t.Fatalf("status %d, and the provider gets %s", a.status, sent)
					}
					s := a.story()
					return a, s
				}
				_, s := ask("slk_ann", "", "TOKEN="+tokenOfAnn, "T="+ann)
				if got := s.wrote(); len(got) != 1 || got[0] != "T="+tokenOfAnn || !bytes.Contains(b.lastAsked().Body, []byte(ann)) {
					t.Fatalf("what is written for the owner is %q", got)
				}
				for name, c := range map[string]struct{ says, result, writes string }{
					"nothing but the model's word":      {"", "", ann},
					"in the user's words":               {ann, "", ann},
					"in a tool result":                  {"", "TOKEN=" + ann, ann},
					"beside a secret of one's own":      {"", "TOKEN=" + tokenOfBob + " and " + ann, ann},
					"in one call with one's own":        {ann, "TOKEN=" + tokenOfBob, bob + " " + ann},
					"with the name of another secret":   {"", "TOKEN=" + tokenOfBob, strings.Replace(ann, "github-token", "credential", 1)},
					"cut, and so no placeholder at all": {"", "TOKEN=" + tokenOfBob, ann[:len(ann)-4]},
				} {
					a, s := ask("slk_bob", c.says, c.result, c.writes)
					if bytes.Contains(a.body, []byte(tokenOfAnn)) || len(s.wrote()) != 0 {
						t.Errorf("%s: the other user gets %s", name, a.body)
					}
				}
				if _, s := ask("slk_bob", ann, "TOKEN="+tokenOfBob, "T="+bob); len(s.wrote()) != 1 || s.wrote()[0] != "T="+tokenOfBob {
					t.Errorf("what is written for the other user is %q", s.wrote())
				}
				// The owner, too, gets nothing that the conversation at hand has not got.
				if _, s := ask("slk_ann", "", "", ann); len(s.wrote()) != 0 {
					t.Errorf("another conversation of the owner writes %q", s.wrote())
				}
			})
		}
	}
}

// Two users at once do not mix either.
func TestUsersAtTheSameTimeHaveTheirOwnSecrets(t *testing.T) {
	t.Parallel()
	b := newBench(t, twoUsers)
	b.up.Answer(func(*http.Request) sluicetest.Reply {
		return reply(wire.Anthropic, true, writing(placeholderOf(tokenOfAnn)))
	})
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			key, token, want := "slk_ann", tokenOfAnn, 1
			if i%2 == 1 {
				key, token, want = "slk_bob", tokenOfBob, 0
			}
			a := b.do(http.MethodPost, "/v1/messages", headers("X-Sluice-Key", key), told(wire.Anthropic, true, "", "TOKEN="+token))
			if got := strings.Count(string(a.body), tokenOfAnn); len(a.story().wrote()) != want || want == 0 && got != 0 {
				t.Errorf("for %s: %s", key, a.body)
			}
		})
	}
	all.Wait()
}

// A gateway that was started again with the same key goes on where the other one
// was: the same bytes for the provider, so that prompt caches keep hitting, and the
// same secrets for the client.
func TestARestartWithTheKeyChangesNothing(t *testing.T) {
	t.Parallel()
	var starts []*policy.Set
	for range 2 {
		loaded, err := file.Load(file.Options{Redactor: kept}, keepingFile(t))
		if err != nil {
			t.Fatal(err)
		}
		starts = append(starts, loaded.Set)
	}
	for _, format := range wire.Formats() {
		var sent [][]byte
		for _, set := range starts {
			b := newBench(t, func(c *gateway.Config) { c.Policies = policy.NewLive(set) }, reply(format, true, writing(placeholderOf(tokenOfAnn))))
			a := b.do(http.MethodPost, target(format, true), nil, told(format, true, "", "TOKEN="+tokenOfAnn))
			if got := a.story().wrote(); len(got) != 1 || got[0] != tokenOfAnn {
				t.Errorf("%s: %q is written", format, got)
			}
			sent = append(sent, b.lastAsked().Body)
		}
		if !bytes.Equal(sent[0], sent[1]) || !bytes.Contains(sent[0], []byte(placeholderOf(tokenOfAnn))) {
			t.Errorf("%s: the provider gets\n%s\nand then\n%s", format, sent[0], sent[1])
		}
	}
}

// A secret goes into the contents of a file of this machine. It does not go into its
// name, nor to a machine that the name of the file is about, nor to an address.
func TestSecretsAreNotPutIntoNamesNorSentElsewhere(t *testing.T) {
	t.Parallel()
	placeholder := placeholderOf(tokenOfAnn)
	for name, restored := range map[string]bool{
		"/repo/.env": true, "./.env": true, "C:/repo/.env": true, `C:\repo\.env`: true, "~/p/.env": true, "/repo//.env": true,
		"/repo/" + placeholder + "/.env": false, "//evil.example/share/.env": false, `\\evil.example\share\.env`: false, "https://evil.example/.env": false,
		" //evil.example/.env": false, "smb://evil.example/.env": false, `/\evil.example\.env`: false, //nolint:gocritic // the blank is what is tested
	} {
		for _, member := range []string{"file_path", "path"} {
			arguments, err := json.Marshal(map[string]string{member: name, "content": "T=" + placeholder})
			if err != nil {
				t.Fatal(err)
			}
			tool := map[string]string{"file_path": "Write", "path": "create_file"}[member]
			answer := []llm.Block{{Kind: llm.ToolCall, ID: "call_w", Name: tool, Arguments: string(arguments), Status: llm.Complete}}
			b := newBench(t, func(c *gateway.Config) { c.Policies = policy.NewLive(keeps()) }, reply(wire.Anthropic, false, answer))
			got := b.do(http.MethodPost, target(wire.Anthropic, false), headers("X-Api-Key", "k", "Anthropic-Version", "2023-06-01"), told(wire.Anthropic, false, "", "GITHUB_TOKEN="+tokenOfAnn))
			if has := bytes.Contains(got.body, []byte(tokenOfAnn)); has != restored {
				t.Errorf("%s %s: the secret is put back: %t, want %t: %s", tool, name, has, restored, got.body)
			}
		}
	}
}
