package gateway_test

import (
	"net/http"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// beforeErrors is what the bodies of errors may begin with.
var beforeErrors = []string{
	"", "\ufeff", " \r\n\t", "\n\n", ": comment\n\n", "id: 1\n", "id:1\r\n", "retry: 5\n", "event: x\n", "foo: bar\n", "data: {\"error\":{}}\n\n", "\ufeffid: 1\n", "\x1e",
	"Internal Server Error\n", "<html>\n", "{\"error\":{}}\n",
}

// Whatever an error begins with and wraps, a call in it reaches nobody.
func TestAttackCallsInErrors(t *testing.T) {
	t.Parallel()
	for _, format := range wire.Formats() {
		t.Run(string(format), func(t *testing.T) {
			t.Parallel()
			b := newBench(t, nil)
			call := string(reply(format, false, said("ok", harmful)).Body)
			events := string(reply(format, true, said("ok", harmful)).Body)
			forms := map[string]string{
				"itself": call, "a list": "[" + call + "]", "a list of lists": "[[" + call + "]]", "beside the error": `{"error":{"message":"x"},"result":` + call + `}`,
				"in the error": `{"error":{"message":"x","details":[{"deep":{"er":` + call + `}}]}}`, "in an unknown member": `{"x":{"y":[` + call + `]}}`,
				"events": events, "an event": "data: " + call + "\n\n", "an event without its end": "data:" + call, "lines": call + "\n" + call,
				"broken": call[:len(call)-1], "broken list": "[" + call, "trailing comma": `{"error":{},"result":` + call + `,}`,
			}
			for form, body := range forms {
				for _, before := range beforeErrors {
					for _, status := range []int{400, 529} {
						b.up.Script(sluicetest.JSON(status, before+body))
						got := b.ask(format, form == "events")
						if leaks(got) || got.status != status {
							t.Errorf("%s after %q: status %d: %s", form, before, got.status, got.body)
						}
					}
				}
			}
			wide := make([]byte, 0, 2*len(call))
			for _, unit := range utf16.Encode([]rune(call)) {
				wide = append(wide, byte(unit), byte(unit>>8))
			}
			b.up.Script(sluicetest.JSON(http.StatusBadRequest, string(wide)))
			if got := b.ask(format, false); strings.Contains(string(got.body), "p\x00r\x00e") {
				t.Errorf("in UTF-16: %q", got.body)
			}
		})
	}
}

// What is only an error passes as it is, whatever it begins with.
func TestErrorsWithoutACallPassAsTheyAre(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	for _, before := range beforeErrors {
		for _, body := range []string{
			`{"error":{"message":"tool_use ids were found without tool_result blocks: \"input\"","type":"invalid_request_error","param":"tools[0].function","code":null}}`,
			`[{"error":{"code":400,"message":"no","status":"INVALID_ARGUMENT","details":[{"@type":"x","fieldViolations":[{"field":"tools","description":"d"}]}]}}]`,
			`{"detail":[{"loc":["body","messages",0],"msg":"field required","type":"value_error.missing"}]}`, `{"message":"no such model","object":"error"}`, "upstream connect error", "<p>{ }</p>", "",
		} {
			b.up.Script(sluicetest.JSON(http.StatusBadRequest, before+body))
			got := b.ask(wire.OpenAIChat, false)
			isEvents := strings.Contains(before, "data:") || strings.Contains(before, "event:") || strings.HasPrefix(before, "{") // which can be anything else
			if string(got.body) != before+body && !isEvents {
				t.Errorf("%q became %s", before+body, got.body)
			}
			if s := got.story(); got.status != http.StatusBadRequest || !isEvents && s.end.Outcome != gateway.UpstreamError {
				t.Errorf("%q: status %d, %+v", before+body, got.status, s.end)
			}
		}
	}
}
