package rule

import (
	"sync"
	"time"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/flow"
	"github.com/sluice-project/sluice/policy/internal/advice"
	"github.com/sluice-project/sluice/policy/internal/asked"
	"github.com/sluice-project/sluice/policy/internal/celvalue"
	"github.com/sluice-project/sluice/policy/invocation"
)

// view is a subject as expressions see it. It is made once per subject and
// shared by all expressions, which may run concurrently; expensive parts are
// computed lazily.
type view struct {
	subject  *policy.Subject // nil where only the exchange is judged
	exchange *policy.Exchange

	// programs are those that the policies describe; nil if there are none.
	programs *command.Catalogue

	// passed is the call that the subject's passes on and that is looked at instead, nil for
	// the subject's own.
	passed *call.Passed

	reading struct {
		once sync.Once
		call call.Call
	}
	inside struct {
		once  sync.Once
		views []*view
	}
	named struct {
		once sync.Once
		all  *variablesOf
	}
}

// variablesOf are the variables of a subject that few expressions use.
type variablesOf struct {
	request *asked.Request  // nil if it is not known
	tool    string          // the one whose result is judged, empty if it is not known
	now     types.Timestamp // the same for all expressions
}

// viewKey is the key of a subject's view.
type viewKey struct{}

// viewOf returns the view of a subject. The conditions of a set know the same
// programs: the first one that asks says which.
func viewOf(s *policy.Subject, programs *command.Catalogue) *view {
	v, ok := s.Fact(viewKey{}, func() any { return newView(s, s.Exchange, programs) }).(*view)
	if !ok { // another package took the key, which only this one has
		return newView(s, s.Exchange, programs)
	}
	return v
}

// unknownExchange is one about which nothing is known.
var unknownExchange policy.Exchange

func newView(s *policy.Subject, x *policy.Exchange, programs *command.Catalogue) *view {
	if x == nil {
		x = &unknownExchange
	}
	return &view{subject: s, exchange: x, programs: programs}
}

// variables are the variables of the subject that are made when one of them is used.
func (v *view) variables() *variablesOf {
	v.named.once.Do(func() {
		all := &variablesOf{request: asked.Of(v.exchange), now: types.Timestamp{Time: v.exchange.Now}}
		if v.subject != nil && v.subject.Block.Kind == llm.ToolResult {
			all.tool = asked.Tool(v.subject, v.exchange)
		}
		if v.exchange.Now.IsZero() {
			all.now.Time = time.Now()
		}
		v.named.all = all
	})
	return v.named.all
}

// CallOf returns the reading of a subject's call that the expressions see, so
// that others need not read it again. For a block that is not a call it is
// empty. The caller must not change it.
func CallOf(s *policy.Subject) *call.Call { return viewOf(s, nil).read() }

// read returns the reading of the call, empty for other blocks.
func (v *view) read() *call.Call {
	v.reading.once.Do(func() {
		if v.subject != nil && advice.CallKinds.Has(v.subject.Block.Kind) {
			in := call.Setting{Place: call.Place{Cwd: v.exchange.Session.Cwd, Home: v.exchange.Session.Home}, Files: v, Programs: v.programs, Client: v.exchange.Session.Client}
			if v.passed != nil {
				v.reading.call.FillPassed(v.passed, in)
				return
			}
			v.reading.call.Fill(&v.subject.Block, in, v.subject.Readable())
		}
	})
	return &v.reading.call
}

// Wrote reports whether the conversation wrote a file before.
func (v *view) Wrote() bool { return flow.Of(v.subject).Wrote() }

// Linked reports whether the conversation may have created another name for
// something.
func (v *view) Linked() bool { return flow.Of(v.subject).Linked() }

// File is what the conversation wrote to a file before.
func (v *view) File(path string) *invocation.File { return flow.Of(v.subject).File(path) }

// MadeFrom is what the conversation made a file, or what is in a directory, from before.
func (v *view) MadeFrom(path string, below bool) []string {
	return flow.Of(v.subject).MadeFrom(path, below)
}

// text is the text of a block that is not a call.
func (v *view) text() string {
	if v.subject == nil || !advice.TextKinds.Has(v.subject.Block.Kind) {
		return ""
	}
	return v.subject.Block.Text
}

// nothingBefore is the past of a subject about which nothing is known.
var nothingBefore = policy.NewSubject(nil, llm.Block{})

// past is what the conversation saw and did before the call.
func (v *view) past() *flow.Past {
	if v.subject == nil {
		return flow.Of(nothingBefore)
	}
	return flow.Of(v.subject)
}

// resultTool is the name of the tool whose result is judged.
func (v *view) resultTool() value {
	if v.subject == nil || v.subject.Block.Kind != llm.ToolResult {
		return known("")
	}
	return orUnknown(v.variables().tool, resultTool)
}

// orUnknown is a text that is unknown if it is empty.
func orUnknown(text string, name attribute) value {
	if text == "" {
		return value{is: unknownOf(name)}
	}
	return known(text)
}

// model is the name of the model that was asked, which not every request has: that of
// Gemini is in the path.
func (v *view) model() value {
	if r := v.variables().request; r != nil {
		return orUnknown(r.Model, requestModel)
	}
	return value{is: unknownOf(requestAll)}
}

// tools are the names of the tools that the request declares.
func (v *view) tools() ([]string, answer) {
	if r := v.variables().request; r != nil {
		return r.Tools(), yes
	}
	return nil, unknownOf(requestAll)
}

// messages are the messages of the request.
func (v *view) messages() value {
	r := v.variables().request
	if r == nil {
		return value{is: unknownOf(requestAll)}
	}
	messages := r.Messages()
	list := make([]ref.Val, len(messages))
	for i := range list {
		list[i] = &object{advice.MessageType, &messages[i]}
	}
	return value{is: yes, of: types.NewRefValList(celvalue.Adapter{}, list)}
}
