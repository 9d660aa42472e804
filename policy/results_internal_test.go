package policy

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
)

func readResults(t *testing.T, body string) ([]result, error) {
	t.Helper()
	left := MaxResultTexts
	return resultsIn([]byte(body), llm.Span{End: len(body)}, &left)
}

// The text of a result is found wherever it is; encoded data is left out,
// whether its type comes before or after it.
func TestTheTextsOfAResult(t *testing.T) {
	t.Parallel()
	for content, want := range map[string][]string{
		`"a"`:                                  {"a"},
		`[{"type":"text","text":"a"},"b"]`:     {"a", "b"},
		`{"type":"base64","data":"x","t":"a"}`: {"a"},
		`{"data":"x","t":"a","type":"base64"}`: {"a"},
		`{"data":"x","t":"a"}`:                 {"x", "a"},
		`{"data":"x","t":"a","type":"text"}`:   {"x", "a"},
		`{"p":"a","data":["x",{"q":"y"}],"r":"b","data":"z","s":"c","type":"base64"}`: {"a", "b", "c"},
		`{"data":"x","type":"text","type":"base64"}`:                                  {"x"}, // the first counts
		`{"data":{"data":"x","type":"base64","t":"a"},"type":"text"}`:                 {"a"},
		`{"id":"i","signature":"s","status":"t","text":"a"}`:                          {"a"},
	} {
		body := `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":` + content + `}]}`
		list, err := readResults(t, body)
		if err != nil || len(list) != 1 || list[0].id != "c" || !slices.Equal(list[0].texts, want) {
			t.Errorf("%s: %+v, %v, want %q", content, list, err, want)
			continue
		}
		for i, span := range list[0].spans {
			if literal := body[span.Start:span.End]; literal != `"`+list[0].texts[i]+`"` {
				t.Errorf("%s: text %d stands at %s", content, i, literal)
			}
		}
	}
}

func TestResultsWithTooManyTextsAreNotSent(t *testing.T) {
	t.Parallel()
	body := func(n int) string {
		return `{"role":"user","parts":[{"functionResponse":{"name":"a","response":["` + strings.Repeat(`a","`, n-2) + `a"]}},{"functionResponse":{"response":"a"}}]}`
	}
	if list, err := readResults(t, body(MaxResultTexts)); err != nil || len(list) != 2 || len(list[0].texts) != MaxResultTexts-1 {
		t.Errorf("at the limit: %d results, %v", len(list), err)
	}
	_, err := readResults(t, body(MaxResultTexts+1))
	abort, limit := new(AbortError), new(LimitError)
	if !errors.As(err, &abort) || !errors.As(err, &limit) || limit.Limit != MaxResultTexts {
		t.Errorf("over the limit: %v", err)
	}
}
