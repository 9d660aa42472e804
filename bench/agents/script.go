package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// The pieces of an answer.
const (
	textPieces   = 8  // of the text before the calls
	answerPieces = 20 // of the last answer
	argumentSize = 16 // bytes in a piece of arguments
)

// What everybody is given.
const (
	question    = "What is the weather like on the way?"
	toolName    = "lookup"
	toolAbout   = "Looks up the weather of a place."
	toolResult  = "sunny, 21 degrees, a light wind from the west"
	modelName   = "scripted"
	inputTokens = 120
)

// toolSchema is the schema of the arguments.
const toolSchema = `{"type":"object","properties":{"place":{"type":"string"},"note":{"type":"string"}},"required":["place","note"]}`

// script is what the model says, round by round. The last one calls nothing.
type script struct {
	name  string
	calls int // in each round but the last
	said  []said
}

// said is one answer.
type said struct {
	text  []string // pieces
	calls []called
}

// called is one call in an answer.
type called struct {
	id        string
	arguments string
	pieces    []string
	// decoded are the arguments for those who want them decoded.
	decoded map[string]any
}

// asks is how often the model is asked.
func (s *script) asks() int { return len(s.said) }

// final is the text of the last answer, all the text of all answers.
func (s *script) final() string { return strings.Join(s.said[len(s.said)-1].text, "") }

func (s *script) all() string {
	var all strings.Builder
	for i := range s.said {
		for _, piece := range s.said[i].text {
			all.WriteString(piece)
		}
	}
	return all.String()
}

// tokens is what an answer of so many pieces cost.
func (s *said) tokens() int {
	n := len(s.text)
	for i := range s.calls {
		n += len(s.calls[i].pieces)
	}
	return n
}

// scripts are what is measured: rounds times calls in each.
func scripts() []*script {
	return []*script{
		newScript(1, 1), newScript(3, 1), newScript(10, 1),
		newScript(1, 3), newScript(3, 3), newScript(10, 3),
	}
}

// newScript has rounds with calls and an answer. No call is made twice, because
// that is what limits are for.
func newScript(rounds, calls int) *script {
	s := &script{name: fmt.Sprintf("%dx%d", rounds, calls), calls: calls}
	for r := range rounds {
		answer := said{text: words(textPieces)}
		for c := range calls {
			place := map[string]any{"place": fmt.Sprintf("place %d of round %d", c+1, r+1), "note": "a note that is long enough for a few pieces"}
			raw, err := json.Marshal(place)
			must(err)
			answer.calls = append(answer.calls, called{
				id: fmt.Sprintf("call_%d_%d", r+1, c+1), arguments: string(raw), pieces: cut(string(raw), argumentSize), decoded: place,
			})
		}
		s.said = append(s.said, answer)
	}
	s.said = append(s.said, said{text: words(answerPieces)})
	return s
}

// words is a text in pieces.
func words(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("word %d and more ", i+1)
	}
	return list
}

func cut(s string, size int) []string {
	var list []string
	for len(s) > size {
		list = append(list, s[:size])
		s = s[size:]
	}
	return append(list, s)
}
