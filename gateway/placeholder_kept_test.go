package gateway_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// keepingFile has the two policies about secrets, and no others, which take their
// time to load.
func keepingFile(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "keeping.yaml")
	err := os.WriteFile(name, []byte(`
policies:
  - {name: redact, applies_to: [tool_result], find: {secret: true}, then: redact}
  - {name: restore, when: call.kind == "write", find: {placeholder: true}, then: restore, on_unknown: block}
`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// keptWays are the ways in which a request continues a conversation that the
// provider stores: the members of the first request, which has the result, and of
// the second.
var keptWays = map[string]struct {
	format        wire.Format
	first, second string
}{
	"an answer":                   {wire.OpenAIResponses, ``, `"previous_response_id":"id_1",`},
	"a conversation":              {wire.OpenAIResponses, `"conversation":"conv_1",`, `"conversation":"conv_1",`},
	"a conversation in an object": {wire.OpenAIResponses, `"conversation":{"id":"conv_1"},`, `"conversation":{"id":"conv_1"},`},
	"a thread":                    {wire.Anthropic, `"thread":{"type":"create"},`, `"thread":{"type":"continue","previous_message_id":"id_1"},`},
}

// If the provider stores the conversation, its secrets are known with its turns,
// to their owner, and to nobody else who names the same ids.
func TestSecretsOfAKeptConversationAreItsOwners(t *testing.T) {
	t.Parallel()
	for name, way := range keptWays {
		for _, stream := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s stream=%t", name, stream), func(t *testing.T) {
				t.Parallel()
				answers := 0
				b := newBench(t, twoUsers)
				b.up.Answer(func(*http.Request) sluicetest.Reply {
					answers++ // one request at a time
					return reply(way.format, stream, writing(placeholderOf(tokenOfAnn)), sluicetest.BuildOptions{ID: fmt.Sprintf("id_%d", answers)})
				})
				ask := func(key, member, result string) (*answer, []string) {
					body := bytes.Replace(told(way.format, stream, "", result), []byte("{"), []byte("{"+member), 1)
					a := b.do(http.MethodPost, target(way.format, stream), headers("X-Sluice-Key", key), body)
					return a, a.story().wrote()
				}
				if _, got := ask("slk_ann", way.first, "TOKEN="+tokenOfAnn); len(got) != 1 || got[0] != tokenOfAnn {
					t.Fatalf("the first turn writes %q", got)
				}
				if a, got := ask("slk_bob", way.second, ""); len(got) != 0 || bytes.Contains(a.body, []byte("ghp_")) {
					t.Errorf("another user who names the conversation gets %s", a.body)
				}
				if _, got := ask("slk_ann", way.second, ""); len(got) != 1 || got[0] != tokenOfAnn {
					t.Errorf("the second turn writes %q", got)
				}
				if _, got := ask("slk_ann", "", ""); len(got) != 0 {
					t.Errorf("another conversation writes %q", got)
				}
			})
		}
	}
}

// A turn that is larger than what is remembered has no secrets in the next one,
// which says so; one that is nearly as large has.
func TestSecretsOfAKeptConversationAreBounded(t *testing.T) {
	t.Parallel()
	const mostOfATurn = 8 << 20
	for size, want := range map[int]bool{mostOfATurn - 32<<10: true, mostOfATurn + 1: false} {
		b := newBench(t, twoUsers, remembered(false, "id_1", said("ok")), remembered(false, "id_2", writing(placeholderOf(tokenOfAnn))))
		first := told(wire.OpenAIResponses, false, "", "TOKEN="+tokenOfAnn+" "+strings.Repeat("word ", size/5))
		b.do(http.MethodPost, "/v1/responses", headers("X-Sluice-Key", "slk_ann"), first).story()
		a := b.do(http.MethodPost, "/v1/responses", headers("X-Sluice-Key", "slk_ann"), []byte(`{"model":"m","previous_response_id":"id_1","input":"go on"}`))
		if got := a.story().wrote(); (len(got) == 1) != want || !want && !bytes.Contains(a.body, []byte("read the file again")) {
			t.Errorf("after a turn of %d bytes: %s", size, a.body)
		}
	}
}
