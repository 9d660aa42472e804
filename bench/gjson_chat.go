package main

import "github.com/tidwall/gjson"

// chatPass reads the chunks of Chat Completions in one ForEach pass. The
// callbacks are made once, so that the walk allocates nothing of its own.
type chatPass struct {
	common

	role                               string
	content, refusal, thinking         []byte
	calls                              slots
	choice, call                       int64
	newID, newName                     string
	top, eachChoice, inChoice, inDelta func(k, v gjson.Result) bool
	eachCall, inCall, inFunction       func(k, v gjson.Result) bool
	arguments                          string
}

func newChatPass() *chatPass {
	p := &chatPass{}
	p.top = func(k, v gjson.Result) bool {
		switch k.Str {
		case "id":
			keep(&p.id, v.Str)
		case "model":
			keep(&p.model, v.Str)
		case "choices":
			v.ForEach(p.eachChoice)
		case "usage":
			p.setUsage(v)
		}
		return true
	}
	p.eachChoice = func(_, v gjson.Result) bool {
		v.ForEach(p.inChoice)
		return true
	}
	p.inChoice = func(k, v gjson.Result) bool {
		switch k.Str {
		case "index":
			p.choice = int64(v.Num)
		case "delta":
			v.ForEach(p.inDelta)
		case "finish_reason":
			keep(&p.finish, v.Str)
		}
		return true
	}
	p.inDelta = func(k, v gjson.Result) bool {
		switch k.Str {
		case "role":
			keep(&p.role, v.Str)
		case "content":
			p.content = append(p.content, v.Str...)
		case "refusal":
			p.refusal = append(p.refusal, v.Str...)
		case "reasoning_content":
			p.thinking = append(p.thinking, v.Str...)
		case "tool_calls":
			v.ForEach(p.eachCall)
		}
		return true
	}
	p.eachCall = func(_, v gjson.Result) bool {
		p.call, p.newID, p.newName, p.arguments = 0, "", "", ""
		v.ForEach(p.inCall)
		s := p.calls.at(p.call)
		keep(&s.id, p.newID)
		keep(&s.name, p.newName)
		s.body = append(s.body, p.arguments...)
		return true
	}
	p.inCall = func(k, v gjson.Result) bool {
		switch k.Str {
		case "index":
			p.call = int64(v.Num)
		case "id":
			p.newID = v.Str
		case "function":
			v.ForEach(p.inFunction)
		}
		return true
	}
	p.inFunction = func(k, v gjson.Result) bool {
		switch k.Str {
		case "name":
			p.newName = v.Str
		case "arguments":
			p.arguments = v.Str
		}
		return true
	}
	return p
}

func (p *chatPass) payload(json string) { gjson.Parse(json).ForEach(p.top) }

func (p *chatPass) found() int {
	return len(p.content) + len(p.refusal) + len(p.thinking) + p.calls.found()
}

// chatGet asks for each field by its path. It knows only the first choice.
type chatGet struct {
	common

	role                       string
	content, refusal, thinking []byte
	calls                      slots
}

func (p *chatGet) payload(json string) {
	if p.id == "" {
		keep(&p.id, gjson.Get(json, "id").Str)
		keep(&p.model, gjson.Get(json, "model").Str)
	}
	choice := gjson.Get(json, "choices.0")
	if choice.Exists() {
		keep(&p.finish, choice.Get("finish_reason").Str)
		delta := choice.Get("delta")
		if p.role == "" {
			keep(&p.role, delta.Get("role").Str)
		}
		p.content = append(p.content, delta.Get("content").Str...)
		p.refusal = append(p.refusal, delta.Get("refusal").Str...)
		p.thinking = append(p.thinking, delta.Get("reasoning_content").Str...)
		delta.Get("tool_calls").ForEach(func(_, call gjson.Result) bool {
			s := p.calls.at(int64(call.Get("index").Num))
			if s.id == "" {
				keep(&s.id, call.Get("id").Str)
				keep(&s.name, call.Get("function.name").Str)
			}
			s.body = append(s.body, call.Get("function.arguments").Str...)
			return true
		})
	}
	p.setUsage(gjson.Get(json, "usage"))
}

func (p *chatGet) found() int {
	return len(p.content) + len(p.refusal) + len(p.thinking) + p.calls.found()
}
