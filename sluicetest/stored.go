package sluicetest

import (
	"errors"
	"reflect"
	"sync"

	"github.com/sluice-project/sluice/wire"
)

// ValidateRequest accepts a request body that a provider of the format would not
// refuse: the JSON half of [ValidateHistory], for what a test received over HTTP. The
// error joins one *[Violation] for each problem.
func ValidateRequest(format wire.Format, body []byte) error {
	return errors.Join(bodyProblems(format, body)...)
}

// StoredItems simulates the answers that a provider of OpenAI Responses stores, as it
// does unless a request says "store": false. It identifies items by their ids, and
// refuses, as the real one does, an unknown id, a changed item, reasoning without the
// item that followed it, and an item without the reasoning before it. The zero value
// has no items. It is safe for concurrent use.
type StoredItems struct {
	mu    sync.Mutex
	items map[string]storedItem
}

type storedItem struct {
	item object
	// before is the id of the reasoning before it; after, for reasoning, the item that
	// followed it.
	before, after string
}

// Answered stores an answer: the payloads of a stream, or the one of a body, such as
// [Build] and [BuildBody] make.
func (s *StoredItems) Answered(payloads ...string) error {
	for _, payload := range payloads {
		value, err := decode([]byte(payload))
		if err != nil {
			return err
		}
		response, _ := value.(object)
		if nested, ok := response["response"].(object); ok {
			response = nested
		}
		output, _ := response["output"].([]any)
		s.store(output)
	}
	return nil
}

func (s *StoredItems) store(output []any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.items == nil {
		s.items = map[string]storedItem{}
	}
	reasoning := "" // the id of the reasoning directly before
	for _, element := range output {
		item, _ := element.(object)
		id, _ := item["id"].(string)
		s.items[id] = storedItem{item: item, before: reasoning}
		if before, ok := s.items[reasoning]; ok && reasoning != "" {
			before.after = id
			s.items[reasoning] = before
		}
		if reasoning = ""; item["type"] == "reasoning" {
			reasoning = id
		}
	}
}

// Refuses says why the provider would refuse a request with this body, nil if it would
// not. It includes the rules of [ValidateRequest].
func (s *StoredItems) Refuses(body []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	j := &judge{format: OpenAIResponses, problems: bodyProblems(wire.OpenAIResponses, body)}
	value, _ := decode(body)
	o, _ := value.(object)
	var items []placed
	if _, ok := o["input"].([]any); ok {
		items = j.list(o, "input", "")
	}
	idAt := func(i int) string {
		if i < 0 || i >= len(items) {
			return ""
		}
		id, _ := items[i].object["id"].(string)
		return id
	}
	for i, item := range items {
		id := idAt(i)
		if id == "" {
			continue
		}
		known, ok := s.items[id]
		switch {
		case !ok:
			j.failf("item-unknown", item.at, "Item with id '%s' not found.", id)
		case !reflect.DeepEqual(known.item, item.object):
			j.failf("item-changed", item.at, "the item with the id %q is not what was answered", id)
		case known.after != "" && idAt(i+1) != known.after:
			j.failf("item-follower", item.at, "Item '%s' of type 'reasoning' was provided without its required following item.", id)
		case known.before != "" && idAt(i-1) != known.before:
			j.failf("item-reasoning", item.at, "Item '%s' of type '%v' was provided without its required 'reasoning' item: '%s'.", id, item.object["type"], known.before)
		}
	}
	return errors.Join(j.problems...)
}
