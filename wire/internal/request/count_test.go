package request_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/internal/request"
)

func TestEachKindHasALimitOfItsOwn(t *testing.T) {
	t.Parallel()
	for kind, limit := range map[request.Kind]int{
		request.Messages: llm.DefaultMaxMessages, request.Parts: llm.DefaultMaxParts, request.Tools: llm.DefaultMaxTools,
	} {
		for _, small := range []int{0, 1, 7} {
			var c request.Count
			if small > 0 {
				limit = small
				c.Limits = llm.RequestLimits{Messages: small, Parts: small, Tools: small}
			}
			for range limit {
				if err := c.One(kind); err != nil {
					t.Fatal(err)
				}
			}
			over := new(llm.RequestLimitError)
			if err := c.One(kind); !errors.As(err, &over) || over.Limit != limit {
				t.Errorf("kind %d after %d: %v", kind, limit, err)
			}
		}
	}
}

// Looking ahead says what counting would say, before anything is counted.
func TestLookingAheadSaysWhatCountingSays(t *testing.T) {
	t.Parallel()
	for limit := range 6 {
		for seen := range 4 {
			for n := 1; n < 6; n++ {
				c := request.Count{Limits: llm.RequestLimits{Parts: limit + 3}}
				for range seen {
					_ = c.One(request.Parts)
				}
				var s jsonscan.Scanner
				s.Reset([]byte("[" + strings.TrimSuffix(strings.Repeat(`{"a":[1,2]},`, n), ",") + "]"))
				s.Array()
				s.Elem()
				at := s.Pos()
				err := c.Ahead(request.Parts, s)
				if (err != nil) != (seen+n > limit+3) {
					t.Errorf("%d seen, %d ahead of %d: %v", seen, n, limit+3, err)
				}
				if s.Pos() != at {
					t.Error("the cursor was moved")
				}
			}
		}
	}
}

func TestMembersHaveALimit(t *testing.T) {
	t.Parallel()
	if err := request.Members(llm.MaxMembers); err != nil {
		t.Error(err)
	}
	if err := request.Members(llm.MaxMembers + 1); err == nil || !strings.Contains(err.Error(), fmt.Sprint(llm.MaxMembers)) {
		t.Error(err)
	}
}
