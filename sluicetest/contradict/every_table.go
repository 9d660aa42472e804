package contradict

import "slices"

// everyTable is what can be done to the payloads of every dialect.
var everyTable = []entry{
	{"member twice", "sw", memberTwice},
	{"member name escaped", "sw", func(d *draft) bool {
		return d.respell(func(name string) (key, bool) {
			i := d.IntN(len(name))
			return key{name: name, raw: name[:i] + escaped(name[i:i+1]) + name[i+1:]}, true
		})
	}},
	{"member name in another case", "sw", func(d *draft) bool {
		return d.respell(func(name string) (key, bool) { return key{name: d.inOtherLetters(name)}, true })
	}},
	{"member beside itself in another case", "sw", func(d *draft) bool {
		return d.beside(d.inOtherLetters)
	}},
	{"member beside itself with blanks", "swn", func(d *draft) bool {
		return d.beside(func(name string) string { return anyOf(d, []string{name + " ", " " + name, name + "\x00"}) })
	}},
	{"members in another order", "swu", func(d *draft) bool {
		for _, ev := range d.all() {
			ev.data.walk(func(o *node) {
				d.Shuffle(len(o.keys), func(i, j int) {
					o.keys[i], o.keys[j] = o.keys[j], o.keys[i]
					o.items[i], o.items[j] = o.items[j], o.items[i]
				})
			})
		}
		return true
	}},
	{"texts escaped", "swu", func(d *draft) bool {
		for _, ev := range d.all() {
			ev.data.walk(func(o *node) {
				for _, v := range o.items {
					v.escaped = v.escaped || v.kind == text && d.one(3)
				}
			})
		}
		return true
	}},
	{"line breaks in payloads", "su", func(d *draft) bool { d.lines = true; return true }},
	{"event name differs", "s", func(d *draft) bool {
		ev, other := d.pick(), d.pick()
		if ev == nil || ev == other {
			return false
		}
		ev.named, ev.name = true, anyOf(d, []string{other.data.str("type"), "", "message", "ping", "error", "gadget"})
		return true
	}},
	{"event missing", "s", func(d *draft) bool {
		ev := d.pick()
		if ev != nil {
			d.remove(ev)
		}
		return ev != nil
	}},
	{"event twice", "s", func(d *draft) bool {
		ev := d.pick()
		if ev == nil {
			return false
		}
		d.insert(d.place(ev)+d.IntN(len(d.events)-d.place(ev)), ev.clone())
		return true
	}},
	{"events change places", "s", func(d *draft) bool {
		if len(d.events) < 2 {
			return false
		}
		i := d.IntN(len(d.events) - 1)
		j := min(i+1+d.IntN(3), len(d.events)-1)
		d.events[i], d.events[j] = d.events[j], d.events[i]
		return true
	}},
	{"blocks mixed", "s", overlap},
	{"answer cut", "s", func(d *draft) bool {
		if len(d.events) < 2 {
			return false
		}
		d.events = d.events[:1+d.IntN(len(d.events)-1)]
		return true
	}},
	{"payloads joined", "s", func(d *draft) bool {
		if len(d.events) < 2 {
			return false
		}
		i := d.IntN(len(d.events) - 1)
		a, b := d.events[i], d.events[i+1]
		if a.data == nil || b.data == nil {
			return false
		}
		a.named, a.name = true, a.data.str("type")
		a.raw = a.data.String() + anyOf(d, []string{"", " ", "\n", ","}) + b.data.String()
		a.data = nil
		d.remove(b)
		return true
	}},
	{"payload split", "s", func(d *draft) bool {
		ev := d.pick()
		if ev == nil {
			return false
		}
		payload := ev.data.String()
		at := 1 + d.IntN(len(payload)-1)
		for at < len(payload) && payload[at]&0xC0 == 0x80 {
			at++
		}
		rest := &event{raw: payload[at:], block: ev.block, name: ev.data.str("type")}
		ev.raw, ev.name, ev.named, ev.data = payload[:at], rest.name, true, nil
		d.insert(d.place(ev)+1, rest)
		return true
	}},
	{"payload wrapped", "swn", func(d *draft) bool {
		ev := d.pick()
		if ev == nil {
			return false
		}
		ev.named, ev.name = true, ev.data.str("type")
		ev.data = anyOf(d, []*node{list(ev.data), obj("data", ev.data), from(ev.data.String()), obj("type", ev.name, "data", ev.data), obj("response", ev.data)})
		return true
	}},
	{"payload with a tail", "sw", func(d *draft) bool {
		ev := d.pick()
		if ev == nil {
			return false
		}
		ev.named, ev.name = !d.whole, ev.data.str("type")
		if d.dialect == "openai-chat" || d.dialect == "gemini" || d.whole {
			ev.name = ""
		}
		ev.raw = anyOf(d, []string{ev.data.String() + "}", "\ufeff" + ev.data.String(), ev.data.String() + " {}", "  " + ev.data.String() + "  ", ev.data.String() + "\x00"})
		ev.data = nil
		return true
	}},
	{"error beside content", "sw", func(d *draft) bool {
		ev := d.pick()
		if ev == nil || ev.data.kind != object {
			return false
		}
		ev.data.set("error", anyOf(d, []*node{obj("message", "so", "type", "server_error", "code", 500), from("so"), obj()}))
		return true
	}},
	{"call in an unknown member", "swn", func(d *draft) bool {
		ev := d.pick()
		if ev == nil || ev.data.kind != object {
			return false
		}
		var places []*node
		ev.data.walk(func(o *node) {
			if !providerRuns(o) {
				places = append(places, o)
			}
		})
		s := d.forbidden("")
		anyOf(d, places).set(anyOf(d, []string{"x", "extra", "metadata", "mcp"}), anyOf(d, []*node{
			obj("type", "tool_use", "id", s.callID, "name", s.name, "input", raw(s.args)),
			obj("name", s.name, "arguments", s.args),
			obj("function", obj("name", s.name, "arguments", s.args)),
			list(obj("functionCall", obj("name", s.name, "args", raw(s.args)))),
			obj("tool_calls", list(obj("id", s.callID, "function", obj("name", s.name, "arguments", s.args)))),
		}))
		return true
	}},
}

// namedTable is for the dialects whose payloads have a type, which is also the name
// of their event.
var namedTable = []entry{
	{"payload type missing", "s", func(d *draft) bool {
		ev := d.pick()
		if ev == nil || ev.data.str("type") == "" {
			return false
		}
		ev.named, ev.name = true, ev.data.str("type")
		return ev.data.drop("type")
	}},
	{"payload type differs", "sn", func(d *draft) bool {
		ev, other := d.pick(), d.pick()
		if ev == nil || ev == other || ev.data.str("type") == "" {
			return false
		}
		ev.named, ev.name = true, ev.data.str("type")
		ev.data.set("type", anyOf(d, []string{other.data.str("type"), "ping", "gadget"}))
		return true
	}},
}

// decides are the members that say what a call is, and which values would make it
// another one.
var decides = []string{
	"type", "id", "call_id", "item_id", "name", "arguments", "input", "action", "operation", "args", "function", "custom", "functionCall",
	"tool_calls", "item", "content_block", "delta", "index", "output_index", "choices", "candidates", "content", "parts", "message",
	"response", "output", "finish_reason", "stop_reason", "role", "partial_json", "command", "partialArgs",
}

// decisive picks a member that decides, and a value that contradicts it.
func (d *draft) decisive() (o *node, i int, value *node) {
	type place struct {
		o *node
		i int
	}
	var places []place
	for _, ev := range d.all() {
		ev.data.walk(func(o *node) {
			if providerRuns(o) {
				return
			}
			for i := range o.keys {
				if slices.Contains(decides, o.keys[i].name) {
					places = append(places, place{o, i})
				}
			}
		})
	}
	if len(places) == 0 {
		return nil, 0, nil
	}
	p := anyOf(d, places)
	return p.o, p.i, d.contrary(p.o.keys[p.i].name, p.o.items[p.i])
}

// contrary is another value for a member.
func (d *draft) contrary(name string, was *node) *node {
	if d.one(6) {
		return from(nil)
	}
	switch name {
	case "type":
		return from(anyOf(d, []string{"message", "function_call", "tool_use", "text", "function", "response.output_item.done", "content_block_start", "gadget", "ping"}))
	case "name":
		return from(d.badName())
	case "index", "output_index":
		return from(d.IntN(3))
	case "arguments", "input", "args", "partial_json", "command":
		s := d.forbidden("")
		if was.kind == text {
			return from(s.args)
		}
		return raw(s.args)
	}
	other := was.clone()
	other.walk(func(o *node) {
		for i := range o.keys {
			if slices.Contains([]string{"arguments", "input", "args", "partial_json", "name"}, o.keys[i].name) && !providerRuns(o) {
				o.items[i] = d.contrary(o.keys[i].name, o.items[i])
			}
		}
	})
	if other.kind == text {
		other.text = "other"
	}
	return other
}

// beside gives an object a deciding member once more, under a name that is almost
// the same.
func (d *draft) beside(spell func(name string) string) bool {
	o, i, value := d.decisive()
	if o == nil {
		return false
	}
	at := d.IntN(len(o.keys) + 1)
	o.keys = slices.Insert(o.keys, at, key{name: spell(o.keys[i].name)})
	o.items = slices.Insert(o.items, at, value)
	return true
}

// memberTwice gives an object a deciding member a second time.
func memberTwice(d *draft) bool {
	o, i, value := d.decisive()
	if o == nil {
		return false
	}
	k := o.keys[i]
	if d.one(3) {
		k.raw = escaped(k.name[:1]) + k.name[1:]
	}
	at := d.IntN(len(o.keys) + 1)
	o.keys = slices.Insert(o.keys, at, k)
	o.items = slices.Insert(o.items, at, value)
	return true
}

// respell spells the name of a deciding member in another way.
func (d *draft) respell(spell func(name string) (key, bool)) bool {
	o, i, _ := d.decisive()
	if o == nil {
		return false
	}
	k, ok := spell(o.keys[i].name)
	if ok {
		o.keys[i] = k
	}
	return ok
}
