package main

import "github.com/tidwall/gjson"

// anthropicPass reads the events of Messages in one ForEach pass. The members
// of an event can come in any order, so they are collected first.
type anthropicPass struct {
	common

	blocks                           slots
	index                            int64
	kind, text, signature            string
	top, inDelta, inBlock, inMessage func(k, v gjson.Result) bool
	newKind, newID, newName          string
}

func newAnthropicPass() *anthropicPass {
	p := &anthropicPass{}
	p.top = func(k, v gjson.Result) bool {
		switch k.Str {
		case "type":
			p.kind = v.Str
		case "index":
			p.index = int64(v.Num)
		case "delta":
			v.ForEach(p.inDelta)
		case "content_block":
			v.ForEach(p.inBlock)
		case "message":
			v.ForEach(p.inMessage)
		case "usage":
			p.setUsage(v)
		}
		return true
	}
	p.inDelta = func(k, v gjson.Result) bool {
		switch k.Str {
		case "text", "partial_json", "thinking":
			p.text = v.Str
		case "signature":
			p.signature = v.Str
		case "stop_reason":
			keep(&p.finish, v.Str)
		}
		return true
	}
	p.inBlock = func(k, v gjson.Result) bool {
		switch k.Str {
		case "type":
			p.newKind = v.Str
		case "id":
			p.newID = v.Str
		case "name":
			p.newName = v.Str
		}
		return true
	}
	p.inMessage = func(k, v gjson.Result) bool {
		switch k.Str {
		case "id":
			keep(&p.id, v.Str)
		case "model":
			keep(&p.model, v.Str)
		case "usage":
			p.setUsage(v)
		}
		return true
	}
	return p
}

func (p *anthropicPass) payload(json string) {
	p.kind, p.text, p.signature = "", "", ""
	p.newKind, p.newID, p.newName = "", "", ""
	gjson.Parse(json).ForEach(p.top)
	switch p.kind {
	case "content_block_start":
		s := p.blocks.at(p.index)
		keep(&s.kind, p.newKind)
		keep(&s.id, p.newID)
		keep(&s.name, p.newName)
	case "content_block_delta":
		s := p.blocks.at(p.index)
		s.body = append(s.body, p.text...)
		s.signature = append(s.signature, p.signature...)
	}
}

func (p *anthropicPass) found() int { return p.blocks.found() }

// anthropicGet asks for each field by its path.
type anthropicGet struct {
	common

	blocks slots
}

func (p *anthropicGet) payload(json string) {
	switch gjson.Get(json, "type").Str {
	case "content_block_delta":
		s := p.blocks.at(int64(gjson.Get(json, "index").Num))
		delta := gjson.Get(json, "delta")
		switch delta.Get("type").Str {
		case "text_delta":
			s.body = append(s.body, delta.Get("text").Str...)
		case "input_json_delta":
			s.body = append(s.body, delta.Get("partial_json").Str...)
		case "thinking_delta":
			s.body = append(s.body, delta.Get("thinking").Str...)
		case "signature_delta":
			s.signature = append(s.signature, delta.Get("signature").Str...)
		}
	case "content_block_start":
		s := p.blocks.at(int64(gjson.Get(json, "index").Num))
		block := gjson.Get(json, "content_block")
		keep(&s.kind, block.Get("type").Str)
		keep(&s.id, block.Get("id").Str)
		keep(&s.name, block.Get("name").Str)
	case "message_start":
		keep(&p.id, gjson.Get(json, "message.id").Str)
		keep(&p.model, gjson.Get(json, "message.model").Str)
		p.setUsage(gjson.Get(json, "message.usage"))
	case "message_delta":
		keep(&p.finish, gjson.Get(json, "delta.stop_reason").Str)
		p.setUsage(gjson.Get(json, "usage"))
	}
}

func (p *anthropicGet) found() int { return p.blocks.found() }
