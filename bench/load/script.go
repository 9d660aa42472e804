package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// The paths of the two dialects.
const (
	chatPath      = "/v1/chat/completions"
	anthropicPath = "/v1/messages"
)

// stampSize is the width of a time in nanoseconds in a payload, and noStamp is
// written there if there is no time.
const (
	stampSize = 19
	noStamp   = "0000000000000000000"
)

// script is an answer that the upstream gives to everyone who names it as the
// model. What it says is harmless: policies let all of it pass, so what a
// client gets must be what the upstream sent.
type script struct {
	model  string
	path   string
	body   []byte
	events []event
	// pace is the time between two events, none if they come at once.
	pace time.Duration
	// endless scripts repeat from their second event until the client
	// disconnects.
	endless bool
	// plain answers are one JSON value, not a stream.
	plain bool
	// request is what a client sends to get it.
	request []byte
}

// event is a part of a script that is written at once.
type event struct {
	from, to int
	// stamp is the position of the time of sending in the body, -1 if it has
	// none.
	stamp int
	// flows is true for what no policy holds: its transit through a proxy can
	// be timed. A held call waits for its verdict, and no client can act on
	// half a call.
	flows bool
}

// add appends an event to the script.
func (s *script) add(name, payload string, flows bool) {
	from := len(s.body)
	if name != "" {
		s.body = append(s.body, "event: "+name+"\n"...)
	}
	s.body = append(s.body, "data: "+payload+"\n\n"...)
	stamp := bytes.Index(s.body[from:], []byte(noStamp))
	if stamp >= 0 {
		stamp += from
	}
	s.events = append(s.events, event{from: from, to: len(s.body), stamp: stamp, flows: flows})
}

// The names of the scripts.
const (
	modelTurn      = "load-turn"
	modelPaced     = "load-paced"
	modelAnthropic = "load-anthropic"
	modelLong      = "load-long"
	modelIdle      = "load-idle"
	modelPlain     = "load-plain"
	modelHistory   = "load-history"
)

// longPieces is the number of pieces of the long call: a file of about 11,000
// tokens.
const longPieces = 3000

// historySize is about how long the request of an agent at work is.
const historySize = 256 << 10

// scripts returns all answers by the name of their model.
func scripts() map[string]*script {
	turn := func(model string) *script { return chat(model, words(100), shellCalls(10)) }
	paced, idle := turn(modelPaced), chat(modelIdle, words(1), nil)
	paced.pace = 10 * time.Millisecond
	idle.pace, idle.endless = time.Second, true
	idle.events = idle.events[:2]
	idle.body = idle.body[:idle.events[1].to]
	history := turn(modelHistory)
	history.request = chatRequest(modelHistory, historySize, true)
	list := []*script{
		turn(modelTurn), paced, idle, history,
		anthropic(modelAnthropic, words(100), shellCalls(10)),
		chat(modelLong, nil, []toolCall{writeCall(longPieces)}),
		chatPlain(modelPlain, words(100), shellCalls(10)),
	}
	named := make(map[string]*script, len(list))
	for _, s := range list {
		named[s.model] = s
	}
	return named
}

// toolCall is a call in the pieces in which its arguments come.
type toolCall struct {
	name   string
	pieces []string
}

// shellCalls are three harmless calls.
func shellCalls(pieces int) []toolCall {
	list := make([]toolCall, 3)
	for i, command := range []string{"ls -la src", "git status --short", "wc -l README.md"} {
		arguments := `{"command":` + quote(command) + `,"description":"Look at the sources of the program"}`
		list[i] = toolCall{"Bash", cut(arguments, pieces)}
	}
	return list
}

// writeCall is a call that writes a long file.
func writeCall(pieces int) toolCall {
	const source = "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tfor i := 0; i < 10; i++ {\n\t\tfmt.Println(\"line\", i)\n\t}\n}\n"
	content := strings.Repeat(source, pieces*12/len(source))
	return toolCall{"Write", cut(`{"file_path":"/home/u/p/main.go","content":`+quote(content)+`}`, pieces)}
}

// cut divides a text into n pieces.
func cut(s string, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = s[i*len(s)/n : (i+1)*len(s)/n]
	}
	return list
}

// words returns n pieces of prose as a model sends them.
func words(n int) []string {
	prose := []string{
		"The", " tests", " pass", " on", " both", " systems", ",", " so", " what", " is", " left", " is", " the", " \"", "slow", " path", "\"",
		":\n\n", "-", " read", " the", " file", " once", ",\n", "-", " keep", " the", " naïve", " search", ".",
	}
	list := make([]string, n)
	for i := range list {
		list[i] = prose[i%len(prose)]
	}
	return list
}

// quote returns s as a JSON string, without the escapes for HTML that no
// provider sends.
func quote(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(fmt.Sprintf("a string cannot be written as JSON: %v", err)) // never: it is our own text
	}
	return strings.TrimSuffix(b.String(), "\n")
}
