package gateway

import (
	"strconv"
	"testing"
)

func TestOnlyTheLatestAnswersWithBlockedCallsAreRemembered(t *testing.T) {
	t.Parallel()
	var r repairs
	calls := []denied{{id: "call_1"}}
	remembered := func(id int) bool { return len(r.of(strconv.Itoa(id))) > 0 }
	for id := range mostRepairs {
		r.add(strconv.Itoa(id), calls)
	}
	if !remembered(0) || !remembered(mostRepairs-1) {
		t.Fatal("an answer within the limit is forgotten")
	}
	r.add("1", calls) // it is the latest now
	if !remembered(0) || r.order.Len() != mostRepairs {
		t.Fatal("an answer that is remembered again pushes another one out")
	}
	r.add(strconv.Itoa(mostRepairs), calls)
	if remembered(0) || !remembered(1) || !remembered(2) || !remembered(mostRepairs) {
		t.Error("one answer beyond the limit does not push out the oldest, and only that")
	}
	r.add(strconv.Itoa(mostRepairs+1), calls)
	if remembered(2) || !remembered(1) {
		t.Error("the age is not that of the last time")
	}
	r.forget("1")
	r.add(strconv.Itoa(mostRepairs+2), calls)
	if remembered(1) || !remembered(3) {
		t.Error("what was forgotten still takes a place")
	}
	if r.order.Len() != mostRepairs || len(r.calls) != mostRepairs {
		t.Errorf("%d and %d entries, want %d", r.order.Len(), len(r.calls), mostRepairs)
	}
}
