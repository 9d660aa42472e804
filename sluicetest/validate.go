package sluicetest

import (
	"fmt"
	"strings"
)

// Validate accepts the bytes of an event stream that a strict client of the format
// accepts as one valid answer: a normal end, or a failure reported as the dialect
// specifies. A stream that just stops is refused. The error is a *[Violation]. An
// unknown format is an error too.
func Validate(format string, sse []byte) error { return Options{}.Validate(format, sse) }

// ValidateOpenAIChat is [Validate] for OpenAI Chat Completions.
func ValidateOpenAIChat(sse []byte) error { return Validate(OpenAIChat, sse) }

// ValidateAnthropic is [Validate] for Anthropic Messages.
func ValidateAnthropic(sse []byte) error { return Validate(Anthropic, sse) }

// ValidateOpenAIResponses is [Validate] for OpenAI Responses.
func ValidateOpenAIResponses(sse []byte) error { return Validate(OpenAIResponses, sse) }

// ValidateGemini is [Validate] for Gemini streamGenerateContent with alt=sse.
func ValidateGemini(sse []byte) error { return Validate(Gemini, sse) }

// ValidateBody is [Validate] for a response that is not streamed: the JSON
// object of the answer or of the error.
func ValidateBody(format string, body []byte) error { return Options{}.ValidateBody(format, body) }

// Inspect reads the bytes of an event stream as a strict client would and reports what
// it understood. Unlike [Validate] it accepts a stream that just stops: the report is
// then neither Ended nor Failed. With an error the report holds what was understood
// before.
func Inspect(format string, sse []byte) (Report, error) { return Options{}.Inspect(format, sse) }

// InspectBody is [Inspect] for a response that is not streamed.
func InspectBody(format string, body []byte) (Report, error) {
	return Options{}.InspectBody(format, body)
}

// Validate is the function [Validate] under these options.
func (o Options) Validate(format string, sse []byte) error {
	report, err := o.Inspect(format, sse)
	if err != nil {
		return err
	}
	return mustEnd(format, report)
}

// ValidateBody is the function [ValidateBody] under these options.
func (o Options) ValidateBody(format string, body []byte) error {
	report, err := o.InspectBody(format, body)
	if err != nil {
		return err
	}
	return mustEnd(format, report)
}

// Inspect is the function [Inspect] under these options.
func (o Options) Inspect(format string, sse []byte) (Report, error) {
	in := &inspector{format: format, opts: o, payload: -1}
	reader := in.reader()
	if reader == nil {
		return Report{}, unknownFormat(format)
	}
	events, broken := split(sse)
	for n, ev := range events {
		in.payload, in.data = n, ev.data
		if string(ev.data) == "[DONE]" {
			reader.done()
		} else if o := in.parse(ev.data); o != nil {
			reader.read(ev.name, o)
		}
		if in.err != nil {
			return in.finish()
		}
	}
	in.payload, in.data = -1, nil
	if broken != "" {
		in.fail("sse", "%s", broken)
		return in.finish()
	}
	reader.end()
	return in.finish()
}

// InspectBody is the function [InspectBody] under these options.
func (o Options) InspectBody(format string, body []byte) (Report, error) {
	in := &inspector{format: format, opts: o, payload: -1, data: body}
	if in.reader() == nil {
		return Report{}, unknownFormat(format)
	}
	in.body(body)
	return in.finish()
}

// inspector is shared by the readers of all formats: their position, what they
// understood, and the first rule that was broken. It keeps only the first violation, so
// that a reader can continue to the end of a payload without checking after every step.
type inspector struct {
	format  string
	opts    Options
	report  Report
	payload int
	data    []byte
	err     *Violation
	texts   []*openText
	calls   []*openCall
}

// openText and openCall are texts and calls while they arrive.
type (
	openText struct {
		strings.Builder
		thinking bool
	}
	openCall struct {
		Call
		arguments strings.Builder
		streamed  bool // arguments came in deltas
	}
)

// openText begins a text of the report.
func (in *inspector) openText(thinking bool) *strings.Builder {
	text := &openText{thinking: thinking}
	in.texts = append(in.texts, text)
	return &text.Builder
}

// openCall begins a call of the report.
func (in *inspector) openCall(call Call) *openCall {
	begun := &openCall{Call: call}
	in.calls = append(in.calls, begun)
	return begun
}

// formatReader reads the payloads of one answer. It never panics on JSON of
// unexpected shapes.
type formatReader interface {
	// read takes a payload with the event name it had, "" if none.
	read(event string, o object)
	// done takes the literal [DONE].
	done()
	// end is called after the last payload.
	end()
}

// reader returns a new reader of the format, nil if it is not known.
func (in *inspector) reader() formatReader {
	switch in.format {
	case OpenAIChat:
		return newChatReader(in)
	case Anthropic:
		return newAnthropicReader(in)
	case OpenAIResponses:
		return newResponsesReader(in)
	case Gemini:
		return newGeminiReader(in)
	default:
		return nil
	}
}

// fail records a broken rule, unless one was recorded before.
func (in *inspector) fail(rule, reason string, args ...any) {
	if in.err == nil {
		in.err = &Violation{
			Format: in.format, Payload: in.payload, Rule: rule, Reason: fmt.Sprintf(reason, args...), Data: in.data,
		}
	}
}

// warn records a deviation that a client tolerates.
func (in *inspector) warn(reason string, args ...any) {
	in.report.Warnings = append(in.report.Warnings, fmt.Sprintf(reason, args...))
}

// finishes records the finish reason of a choice.
func (in *inspector) finishes(choice int, word string) {
	if in.report.Finishes == nil {
		in.report.Finishes = map[int]string{}
	}
	in.report.Finishes[choice] = word
	if choice == 0 || in.report.Finish == "" {
		in.report.Finish = word
	}
}

// finish returns the report and the violation as an error that is nil if there
// is none.
func (in *inspector) finish() (Report, error) {
	for _, text := range in.texts {
		switch {
		case text.Len() == 0:
		case text.thinking:
			in.report.Thinking = append(in.report.Thinking, text.String())
		default:
			in.report.Texts = append(in.report.Texts, text.String())
		}
	}
	for _, call := range in.calls {
		call.Arguments = call.arguments.String()
		in.report.Calls = append(in.report.Calls, call.Call)
	}
	if in.err != nil {
		in.report.Ended = false
		return in.report, in.err
	}
	return in.report, nil
}

func mustEnd(format string, report Report) error {
	if report.Ended || report.Failed {
		return nil
	}
	return &Violation{Format: format, Payload: -1, Rule: "end-missing", Reason: "the answer just stops: no good end and no error"}
}

func unknownFormat(format string) error {
	return &Violation{Format: format, Payload: -1, Rule: "format", Reason: "unknown format, want one of openai-chat, anthropic, openai-responses, gemini"}
}
