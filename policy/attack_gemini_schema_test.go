package policy_test

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/wire"
)

// A call that arrives in pieces leaves whole where clients with a schema would leave a piece
// out, or put the pieces together in another way.
func TestAttackStreamedArgumentsThatDoNotMatchASchema(t *testing.T) {
	t.Parallel()
	payload := func(part, candidate, beside string) string {
		return `{"candidates":[{"index":0,"content":{"role":"model","parts":[` + part + `]}` + candidate + `}],"modelVersion":"g"` + beside + `}`
	}
	const piece = `{"functionCall":{"partialArgs":[{"jsonPath":"$.s","stringValue":" # ","willContinue":true}],"willContinue":true}}`
	for name, c := range map[string]struct {
		odd   string
		whole bool
	}{
		"counts that are texts":         {payload(piece, ``, `,"usageMetadata":{"promptTokenCount":"1"}`), true},
		"usage that is a text":          {payload(piece, ``, `,"usageMetadata":{"promptTokensDetails":[{"modality":1,"tokenCount":1}]}`), true},
		"ratings that are no list":      {payload(piece, `,"safetyRatings":{}`, ``), true},
		"a rating of another type":      {payload(piece, `,"safetyRatings":[{"blocked":"no"}]`, ``), true},
		"a message that is a number":    {payload(piece, `,"finishMessage":1`, ``), true},
		"sources":                       {payload(piece, `,"groundingMetadata":{"x":1}`, ``), true},
		"a signature that is a number":  {payload(strings.Replace(piece, `}}`, `},"thoughtSignature":1}`, 1), ``, ``), true},
		"a list of feedback":            {payload(piece, ``, `,"promptFeedback":{"blockReason":null,"safetyRatings":1}`), true},
		"an id that is a number":        {payload(piece, ``, `,"responseId":1`), true},
		"an image beside it":            {payload(piece+`,{"inlineData":{"mimeType":1}}`, ``, ``), true},
		"the end of an array not begun": {payload(strings.Replace(piece, `}]`, `},{"jsonPath":"$.l[]"}]`, 1), ``, ``), true},
		"nothing odd":                   {payload(piece, `,"safetyRatings":[{"category":"x","blocked":false}],"tokenCount":1`, `,"usageMetadata":{"promptTokenCount":1,"promptTokensDetails":[{"modality":"TEXT","tokenCount":1}],"trafficType":"x"},"responseId":"r","createTime":"now"`), false},
	} {
		payloads := []string{
			payload(`{"functionCall":{"name":"sh","willContinue":true}}`, ``, ``),
			payload(`{"functionCall":{"partialArgs":[{"jsonPath":"$.s","stringValue":"ls","willContinue":true}],"willContinue":true}}`, ``, ``),
			c.odd,
			payload(`{"functionCall":{"partialArgs":[{"jsonPath":"$.s","stringValue":"rm"}],"willContinue":true}}`, ``, ``),
			payload(`{"functionCall":{}}`, `,"finishReason":"STOP"`, ``),
		}
		left, allowed, err := withoutHarm(t, wire.Gemini, nil, payloads...)
		said := strings.Join(left, "\n")
		if err != nil || !allowed[[2]string{"sh", `{"s":"ls # rm"}`}] {
			t.Errorf("%s: %v, %v", name, err, allowed)
			continue
		}
		if whole := strings.Contains(said, `"args":{"s":"ls # rm"}`) && !strings.Contains(said, "partialArgs"); whole != c.whole || !whole && said != strings.Join(payloads, "\n") {
			t.Errorf("%s: the call is whole: %t\n%s", name, whole, said)
		}
	}
}
