package main

import (
	"slices"

	"github.com/sluice-project/sluice/wire"
)

// contender is one way to read a stream.
type contender struct {
	name string
	what string
	role role
	// formats that it reads.
	formats []wire.Format
	// prepare returns a function that reads a whole stream from its bytes and
	// says how many bytes of text and arguments it found. What a program would
	// keep between streams (read buffers) is kept between calls; what belongs
	// to an answer is created each time.
	prepare func(format wire.Format) func(body []byte) int
}

// role says what a contender is compared as.
type role uint8

const (
	ours   role = iota // what the ratios refer to
	part               // a part of ours, for orientation
	client             // an official client: we want to be many times faster
	field              // bare extraction: we want to be about as fast
	bound              // does less than the others: a bound, not a peer
	plain              // a host without an engine, the baseline of the next
	engine             // a host with one
)

// The names of the contenders that targets refer to.
const (
	nameSluice      = "sluice"
	nameDecide      = "sluice, decide"
	namePlain       = "sluice, host"
	nameNoPolicies  = "sluice, no policies"
	nameRecommended = "sluice, recommended"
	nameOpenAI      = "openai-go"
	nameAnthropic   = "anthropic-sdk-go"
)

func contenders() []contender {
	all := []wire.Format{wire.OpenAIChat, wire.Anthropic, wire.OpenAIResponses}
	return []contender{
		{nameSluice, "read, decode, track blocks, pass through", ours, wire.Formats(), prepareSluice},
		{nameDecide, "the same, deciding about each complete block, nothing written", part, all, prepareSluiceDecide},
		{namePlain, "a processor that passes everything through, and its output", plain, wire.Formats(), preparePlain},
		{nameNoPolicies, "the same with an engine that has no policies", engine, wire.Formats(), prepareNoPolicies},
		{nameRecommended, "the same with the recommended policies", engine, wire.Formats(), prepareRecommended},
		{"gjson, ForEach", "one pass over the same fields, appended to buffers", field, all, prepareForEach},
		{"gjson, Get", "one lookup per field, appended to buffers", field, all, prepareGet},
		{"gjson, walk only", "finds the delta object and does not decode it", bound, all[:2], prepareWalk},
		{nameOpenAI, "ssestream, ChatCompletionAccumulator", client, []wire.Format{wire.OpenAIChat}, prepareOpenAIChat},
		{"openai-go, decode", "ssestream only; there is no accumulator for HTTP", client, []wire.Format{wire.OpenAIResponses}, prepareOpenAIResponses},
		{nameAnthropic, "ssestream, Message.Accumulate", client, []wire.Format{wire.Anthropic}, prepareAnthropic},
	}
}

func (c contender) reads(f wire.Format) bool { return slices.Contains(c.formats, f) }
