package main

import (
	"strings"

	"github.com/tidwall/gjson"
)

// responsesPass reads the events of Responses in one ForEach pass. Each text
// comes again when it is done, when its item is done and in the final response;
// a reader that wants to know whether they agree must look at all of them.
type responsesPass struct {
	common

	items                   slots
	kind, itemID, delta     string
	sequence, index         int64
	newKind, newID, newName string
	whole                   []byte // the last repeated text
	final                   slots  // what the done items say
	eachItem, eachPart      func(k, v gjson.Result) bool
	inPart                  func(k, v gjson.Result) bool
	top, inItem, inResponse func(k, v gjson.Result) bool
}

func newResponsesPass() *responsesPass {
	p := &responsesPass{}
	p.top = func(k, v gjson.Result) bool {
		switch k.Str {
		case "type":
			p.kind = v.Str
		case "sequence_number":
			p.sequence = int64(v.Num)
		case "output_index":
			p.index = int64(v.Num)
		case "item_id":
			p.itemID = v.Str
		case "delta":
			p.delta = v.Str
		case "text", "arguments", "input", "refusal":
			p.whole = append(p.whole[:0], v.Str...)
		case "part":
			v.ForEach(p.inPart)
		case "item":
			v.ForEach(p.inItem)
		case "response":
			v.ForEach(p.inResponse)
		}
		return true
	}
	p.inItem = func(k, v gjson.Result) bool {
		switch k.Str {
		case "type":
			p.newKind = v.Str
		case "call_id":
			p.newID = v.Str
		case "name":
			p.newName = v.Str
		case "arguments", "input":
			p.whole = append(p.whole[:0], v.Str...)
		case "content", "summary":
			v.ForEach(p.eachPart)
		}
		return true
	}
	p.eachPart = func(_, v gjson.Result) bool {
		v.ForEach(p.inPart)
		return true
	}
	p.inPart = func(k, v gjson.Result) bool {
		switch k.Str {
		case "text", "refusal":
			p.whole = append(p.whole[:0], v.Str...)
		}
		return true
	}
	p.eachItem = func(_, v gjson.Result) bool {
		v.ForEach(p.inItem)
		return true
	}
	p.inResponse = func(k, v gjson.Result) bool {
		switch k.Str {
		case "id":
			keep(&p.id, v.Str)
		case "model":
			keep(&p.model, v.Str)
		case "status":
			p.finish = strings.Clone(v.Str)
		case "output":
			v.ForEach(p.eachItem)
		case "usage":
			p.setUsage(v)
		}
		return true
	}
	return p
}

func (p *responsesPass) payload(json string) {
	p.kind, p.delta, p.newKind, p.newID, p.newName = "", "", "", "", ""
	gjson.Parse(json).ForEach(p.top)
	if p.delta == "" && p.newKind == "" || p.kind == "response.completed" {
		return
	}
	s := p.items.at(p.index)
	keep(&s.kind, p.newKind)
	keep(&s.id, p.newID)
	keep(&s.name, p.newName)
	s.body = append(s.body, p.delta...)
	if p.kind == "response.output_item.done" {
		done := p.final.at(p.index)
		done.body = append(done.body[:0], p.whole...)
	}
}

func (p *responsesPass) found() int { return p.items.found() }

// responsesGet asks for each field by its path.
type responsesGet struct {
	common

	items    slots
	final    slots
	whole    []byte
	sequence int64
	itemID   string
}

func (p *responsesGet) payload(json string) {
	kind := gjson.Get(json, "type").Str
	p.sequence = gjson.Get(json, "sequence_number").Int()
	switch {
	case strings.HasSuffix(kind, ".delta"):
		s := p.items.at(gjson.Get(json, "output_index").Int())
		p.itemID = gjson.Get(json, "item_id").Str
		s.body = append(s.body, gjson.Get(json, "delta").Str...)
	case strings.HasPrefix(kind, "response.output_item."):
		s := p.items.at(gjson.Get(json, "output_index").Int())
		item := gjson.Get(json, "item")
		keep(&s.kind, item.Get("type").Str)
		keep(&s.id, item.Get("call_id").Str)
		keep(&s.name, item.Get("name").Str)
		p.item(item)
		if kind == "response.output_item.done" {
			done := p.final.at(gjson.Get(json, "output_index").Int())
			done.body = append(done.body[:0], p.whole...)
		}
	case strings.HasSuffix(kind, "_text.done"):
		p.whole = append(p.whole[:0], gjson.Get(json, "text").Str...)
	case strings.HasSuffix(kind, "_part.done"):
		p.whole = append(p.whole[:0], gjson.Get(json, "part.text").Str...)
	case kind == "response.function_call_arguments.done":
		p.whole = append(p.whole[:0], gjson.Get(json, "arguments").Str...)
	case kind == "response.created" || kind == "response.completed":
		response := gjson.Get(json, "response")
		keep(&p.id, response.Get("id").Str)
		keep(&p.model, response.Get("model").Str)
		p.finish = strings.Clone(response.Get("status").Str)
		p.setUsage(response.Get("usage"))
		response.Get("output").ForEach(func(_, item gjson.Result) bool {
			p.item(item)
			return true
		})
	}
}

// item reads what a whole item says.
func (p *responsesGet) item(item gjson.Result) {
	switch item.Get("type").Str {
	case "message":
		item.Get("content").ForEach(func(_, part gjson.Result) bool {
			p.whole = append(p.whole[:0], part.Get("text").Str...)
			return true
		})
	case "reasoning":
		item.Get("summary").ForEach(func(_, part gjson.Result) bool {
			p.whole = append(p.whole[:0], part.Get("text").Str...)
			return true
		})
	case "function_call":
		p.whole = append(p.whole[:0], item.Get("arguments").Str...)
	case "custom_tool_call":
		p.whole = append(p.whole[:0], item.Get("input").Str...)
	}
}

func (p *responsesGet) found() int { return p.items.found() }
