package sluicetest

import (
	"encoding/base64"
	"maps"
	"slices"
	"strings"
)

// gemini judges the body of a generateContent request. Documented: the shapes,
// that each part has exactly one kind of data, that signatures stay on their
// parts and are base64 as all bytes are, and that within the user's turn the
// first call of every step must have one. Observed in refusals: empty contents,
// parts and texts, where turns with calls and with results may stand, and that
// there are as many results as calls. That results must name the tools that were
// called is documented, not seen refused.
func (j *judge) gemini(body object) {
	if body["systemInstruction"] != nil {
		j.geminiParts(j.object(body, "systemInstruction", "the body"), "systemInstruction")
	}
	contents := j.list(body, "contents", "")
	if len(contents) == 0 {
		j.failf("messages-empty", "contents", "there must be one at least")
	}
	g := &geminiHistory{judge: j}
	for _, content := range contents {
		g.content(content)
	}
	g.unanswered()
	g.signatures()
}

// geminiHistory follows the calls of one request.
type geminiHistory struct {
	*judge

	before string   // the role of the content before
	calls  []placed // functionCall parts of the content before
	steps  []placed // first calls of the contents since the user spoke
}

// isGeminiData reports whether a member of a part is what the part consists of,
// and not something said about it.
func isGeminiData(member string) bool {
	switch member {
	case "thought", "thoughtSignature", "videoMetadata", "mediaResolution", "partMetadata":
		return false
	}
	return true
}

// camel returns a part with the names of its members as this file writes them.
// The API accepts function_call for functionCall.
func camel(part object) object {
	out := make(object, len(part))
	for _, name := range slices.Sorted(maps.Keys(part)) { // in one order, should two names become one
		words := strings.Split(name, "_")
		for i, word := range words {
			if i > 0 && word != "" {
				words[i] = strings.ToUpper(word[:1]) + word[1:]
			}
		}
		out[strings.Join(words, "")] = part[name]
	}
	return out
}

// geminiParts returns the parts of a content.
func (j *judge) geminiParts(o object, at string) []placed {
	parts := j.list(o, "parts", at)
	if len(parts) == 0 {
		j.failf("content-empty", at, "a content without parts")
	}
	for i := range parts {
		part := &parts[i]
		part.object = camel(part.object)
		var kinds []string
		for kind, value := range part.object {
			if value != nil && isGeminiData(kind) {
				kinds = append(kinds, kind)
			}
		}
		slices.Sort(kinds)
		if len(kinds) != 1 {
			j.failf("part", part.at, "a part has one kind of data, this one %d: %s", len(kinds), strings.Join(kinds, ", "))
		}
		proof := j.text(part.object, "thoughtSignature", part.at)
		if !isBase64(proof) {
			j.failf("signature", part.at, "the signature is not base64")
		}
		if len(kinds) == 1 && kinds[0] == "text" && j.text(part.object, "text", part.at) == "" && proof == "" {
			j.failf("text-blank", part.at, "a text that is empty")
		}
	}
	return parts
}

// isBase64 reports whether a text is base64 in any of the forms that JSON may
// have for bytes: with either alphabet, with padding or without.
func isBase64(text string) bool {
	text = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(text, "="))
	_, err := base64.RawStdEncoding.DecodeString(text)
	return err == nil
}

func (g *geminiHistory) content(content placed) {
	role := g.text(content.object, "role", content.at)
	var calls, results []placed
	spoken := false
	for _, part := range g.geminiParts(content.object, content.at) {
		switch {
		case part.object["functionCall"] != nil:
			calls = append(calls, part)
		case part.object["functionResponse"] != nil:
			results = append(results, part)
		default:
			spoken = true
		}
	}
	switch role {
	case "user":
		if len(calls) > 0 {
			g.failf("call-role", calls[0].at, "a call in a content of the user")
		}
		g.results(results)
		if spoken {
			g.signatures()
		}
	case "model":
		if len(results) > 0 {
			g.failf("result-role", results[0].at, "a result in a content of the model")
		}
		g.unanswered()
		if len(calls) > 0 {
			g.modelCalls(content, calls)
		}
	default:
		g.failf("role", content.at, "there is no role %q", role)
	}
	g.before = role
}

// modelCalls reads the calls of a content of the model.
func (g *geminiHistory) modelCalls(content placed, calls []placed) {
	if g.before != "user" {
		g.failf("call-position", content.at, "calls must come right after the user or after results")
	}
	for _, part := range calls {
		call := g.object(part.object, "functionCall", part.at)
		if g.text(call, "name", part.at) == "" {
			g.failf("name", part.at, "a call without the name of its tool")
		}
		if call["args"] != nil {
			if _, ok := call["args"].(object); !ok {
				g.failf("arguments", part.at, "\"args\" is %s, want an object", kindOf(call["args"]))
			}
		}
	}
	g.calls = calls
	g.steps = append(g.steps, calls[0])
	if !isSigned(calls[0]) {
		for _, part := range calls[1:] {
			if isSigned(part) {
				g.failf("signature", part.at, "only the first call of a step is signed, this one is not the first")
			}
		}
	}
}

func isSigned(part placed) bool {
	proof, _ := part.object["thoughtSignature"].(string)
	return proof != ""
}

// unanswered says that calls have no results at all.
func (g *geminiHistory) unanswered() {
	for _, part := range g.calls {
		g.failf("call-unanswered", part.at, "no results directly after the call")
	}
	g.calls = nil
}

// results pairs results with the calls of the content before: by id if they have
// ids, else by their order.
func (g *geminiHistory) results(results []placed) {
	calls := g.calls
	g.calls = nil
	switch {
	case len(calls) == 0 && len(results) > 0:
		g.failf("result-orphan", results[0].at, "results without calls right before")
		return
	case len(results) < len(calls):
		g.failf("call-unanswered", calls[0].at, "%d calls have %d results", len(calls), len(results))
	case len(results) > len(calls):
		g.failf("result-twice", results[0].at, "%d calls have %d results", len(calls), len(results))
	}
	byID := map[string]placed{}
	for _, part := range calls {
		call, _ := part.object["functionCall"].(object)
		if id, _ := call["id"].(string); id != "" {
			byID[id] = part
		}
	}
	for i, part := range results {
		result := g.object(part.object, "functionResponse", part.at)
		if _, ok := result["response"].(object); !ok {
			g.failf("type", part.at, "\"response\" is %s, want an object", kindOf(result["response"]))
		}
		call, found := byID[g.text(result, "id", part.at)]
		switch {
		case found:
		case len(byID) > 0 && result["id"] != nil:
			g.failf("result-orphan", part.at, "no call right before has the id %v", result["id"])
			continue
		case i >= len(calls):
			continue
		default:
			call = calls[i]
		}
		called, _ := call.object["functionCall"].(object)
		if name := g.text(result, "name", part.at); name == "" || name != called["name"] {
			g.failf("result-name", part.at, "the result is of %q, the call of %q", name, called["name"])
		}
	}
}

// signatures asks, at the end of the user's turn, that either no step of it or
// every one is signed: models that do not sign, and histories of other
// providers, have none.
func (g *geminiHistory) signatures() {
	steps := g.steps
	g.steps = nil
	signed := 0
	for _, part := range steps {
		if isSigned(part) {
			signed++
		}
	}
	for _, part := range steps {
		if signed > 0 && !isSigned(part) {
			g.failf("signature", part.at, "the first call of a step has no signature, those of other steps do")
		}
	}
}
