package main

import (
	"github.com/tidwall/gjson"

	"github.com/sluice-project/sluice/wire"
)

// walk finds the innermost object that holds the text and keeps its JSON as it
// is. gjson always unescapes the strings that it returns, so this shows what it
// costs without unescaping: a lower bound that yields nothing usable.
type walk struct {
	kept                      []byte
	top, eachChoice, inChoice func(k, v gjson.Result) bool
}

func newWalk(format wire.Format) *walk {
	w := &walk{}
	w.inChoice = func(k, v gjson.Result) bool {
		if k.Str == "delta" {
			w.kept = append(w.kept, v.Raw...)
		}
		return true
	}
	w.eachChoice = func(_, v gjson.Result) bool {
		v.ForEach(w.inChoice)
		return true
	}
	w.top = w.inChoice
	if format == wire.OpenAIChat {
		w.top = func(k, v gjson.Result) bool {
			if k.Str == "choices" {
				v.ForEach(w.eachChoice)
			}
			return true
		}
	}
	return w
}

func (w *walk) payload(json string) { gjson.Parse(json).ForEach(w.top) }

// found counts something else than the others do.
func (w *walk) found() int { return len(w.kept) }
