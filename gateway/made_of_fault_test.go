package gateway_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/wire"
)

// faulty are beginnings of a message that no dialect can read, with how many members
// they have. What follows them in the same message is for the test to add.
func faulty(f wire.Format) map[string]string {
	body := map[bool]string{true: "parts", false: "content"}[f == wire.Gemini]
	return map[string]string{
		"a member that stands twice": `"` + body + `":[],"` + body + `":[]`,
		"a role that is no text":     `"` + body + `":[],"role":5`,
		"a name in other letters":    `"role":"user","` + strings.ToUpper(body[:1]) + body[1:] + `":[]`,
		"a role that stands twice":   `"role":"user","role":"user"`,
	}
}

// Reading a request ends at its first fault, and what follows is not counted. That
// must not bypass the limits: a request that could exceed one is refused, in every
// dialect, whether policies look at the request or not.
func TestAFaultDoesNotHideWhatIsOverALimit(t *testing.T) {
	t.Parallel()
	none, err := policy.NewSet()
	if err != nil {
		t.Fatal(err)
	}
	const most = 300
	for _, format := range wire.Formats() {
		for _, set := range []*policy.Set{recommended(), none} {
			b := newBench(t, func(c *gateway.Config) {
				c.Policies = policy.NewLive(set)
				c.Limits.Request = llm.RequestLimits{Messages: most, Parts: 100_000, Tools: 100_000}
			}, reply(format, true, said("ok")))
			for name, fault := range faulty(format) {
				for what, body := range map[string][]byte{
					"members":      inHistory(format, `{`+fault+`,`+numberedMembers(llm.MaxMembers-1)+`}`),
					"many members": inHistory(format, `{`+fault+`,`+numberedMembers(50*llm.MaxMembers)+`}`),
					"the same one": inHistory(format, `{`+fault+strings.Repeat(`,"content":"a"`, 50*llm.MaxMembers)+`}`),
					"messages":     inHistory(format, `{`+fault+`},`+times(most-1, saying(format, "a"))),
				} {
					asked := len(b.up.Requests())
					got := b.do(http.MethodPost, target(format, true), nil, body)
					if got.status != http.StatusBadRequest || len(b.up.Requests()) != asked {
						t.Errorf("%s: %s behind %s: status %d %.300s", format, what, name, got.status, got.body)
						continue
					}
					errorIn(t, format, got.body)
				}
			}
		}
	}
}
