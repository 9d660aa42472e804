package contradict

var geminiShape = shape{
	kinds: []Kind{Text, Text, Thinking, ToolCall, ToolCall, ToolCall, ToolCall, Server, Opaque},
	types: map[Kind][]string{
		ToolCall: {"functionCall", "functionCall", "partialArgs"},
		Server:   {"executableCode"},
		Opaque:   {"inlineData"},
	},
	choices: true,
	build:   buildGemini,
}

func buildGemini(d *draft, blocks []Block) {
	var parts [2][]*node
	for i, b := range blocks {
		d.Rand = random(b.Seed)
		for _, p := range d.geminiParts(b) {
			parts[b.Choice] = append(parts[b.Choice], p)
			d.add(i, delta, geminiPayload(geminiCandidate(b.Choice, p)))
		}
	}
	if d.whole {
		d.events = nil
		var candidates []*node
		for choice := range parts {
			if len(parts[choice]) > 0 {
				candidates = append(candidates, with(geminiCandidate(choice, parts[choice]...), "finishReason", "STOP"))
			}
		}
		d.add(-1, finish, geminiPayload(candidates...))
		return
	}
	for choice := range parts {
		if len(parts[choice]) > 0 {
			d.add(-1, finish, geminiPayload(obj("content", obj("role", "model"), "finishReason", "STOP", "index", choice)))
		}
	}
}

func geminiPayload(candidates ...*node) *node {
	return obj("candidates", list(candidates...), "usageMetadata", raw(`{"promptTokenCount":11,"candidatesTokenCount":7,"totalTokenCount":18}`),
		"modelVersion", "m", "responseId", "r1")
}

func geminiCandidate(index int, parts ...*node) *node {
	return obj("content", obj("parts", list(parts...), "role", "model"), "index", index)
}

// geminiParts returns the parts of a block.
func (d *draft) geminiParts(b Block) []*node {
	switch b.Kind {
	case Text, Thinking:
		said := d.say(b)
		pieces := []string{said}
		if !d.whole {
			pieces = d.pieces(said)
		}
		var parts []*node
		for _, piece := range pieces {
			p := obj("text", piece)
			if b.Kind == Thinking {
				p.add("thought", true)
			}
			parts = append(parts, p)
		}
		return parts
	case ToolCall:
		s := d.planned(b)
		if b.Type == "partialArgs" && !d.whole {
			return d.partial(s)
		}
		return []*node{obj("functionCall", geminiCall(s))}
	case Server:
		return []*node{obj("executableCode", obj("language", "PYTHON", "code", "print(1)"))}
	default:
		return []*node{obj("inlineData", obj("mimeType", "image/png", "data", "iVBORw0KGgo="))}
	}
}

func geminiCall(s spec) *node { return obj("id", s.callID, "name", s.name, "args", raw(s.args)) }

// partial returns a call whose arguments stream.
func (d *draft) partial(s spec) []*node {
	parts := []*node{obj("functionCall", obj("name", s.name, "id", s.callID, "willContinue", true))}
	pieces := d.pieces(s.command)
	for i, piece := range pieces {
		arg := obj("jsonPath", "$.command", "stringValue", piece)
		if i < len(pieces)-1 {
			arg.add("willContinue", true)
		}
		parts = append(parts, obj("functionCall", obj("partialArgs", list(arg), "willContinue", true)))
	}
	return append(parts, obj("functionCall", obj()))
}

// parts returns the parts of all candidates.
func (d *draft) parts() []*node {
	var found []*node
	for _, o := range d.objectsWith("parts") {
		if parts := o.get("parts"); parts.kind == array {
			found = append(found, parts.items...)
		}
	}
	return found
}

// functionCalls returns the calls of all parts.
func (d *draft) functionCalls() []*node {
	var found []*node
	for _, p := range d.parts() {
		if c := p.get("functionCall"); c != nil && c.kind == object {
			found = append(found, c)
		}
	}
	return found
}

// candidates returns the candidates of all payloads.
func (d *draft) candidates() []*node {
	var found []*node
	for _, o := range d.objectsWith("candidates") {
		if candidates := o.get("candidates"); candidates.kind == array {
			found = append(found, candidates.items...)
		}
	}
	return found
}
