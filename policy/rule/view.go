package rule

import (
	"strings"
	"sync"
	"time"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/flow"
	"github.com/sluice-project/sluice/policy/shell"
)

// view is a subject as expressions see it. It is made once per subject and
// shared by all expressions, which may run concurrently; expensive parts are
// computed lazily.
type view struct {
	subject  *policy.Subject // nil where only the exchange is judged
	exchange *policy.Exchange

	// programs are those that the policies describe; nil if there are none.
	programs *command.Catalogue

	reading struct {
		once sync.Once
		call call.Call
	}
	named struct {
		once sync.Once
		all  *variablesOf
	}
}

// variablesOf are the variables of a subject. Only CEL needs them.
type variablesOf struct {
	// Each in the form that shows what is unknown, and call in four forms: see
	// viewNumber.
	result, session, key, request, past object
	call                                [4]object

	calls    [4]callView
	asked    requestView
	answered struct {
		once sync.Once
		tool any
	}
	clock struct {
		once sync.Once
		now  types.Timestamp
	}
}

// viewNumber is the number of a form of a call: with the known part of incomplete
// lists, and with texts of which a part is not known as they are written.
func viewNumber(known, written bool) int {
	n := 0
	if known {
		n |= 1
	}
	if written {
		n |= 2
	}
	return n
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

// variables are the variables of the subject.
func (v *view) variables() *variablesOf {
	v.named.once.Do(func() {
		made := &variablesOf{}
		for i := range made.calls {
			c := &made.calls[i]
			c.view, c.known, c.written = v, i&1 != 0, i&2 != 0
			made.call[i] = object{callType, c}
		}
		made.result = object{resultType, v}
		made.session = object{sessionType, (*sessionView)(&v.exchange.Session)}
		made.key = object{keyType, (*keyView)(&v.exchange.Key)}
		made.request = object{requestType, &made.asked}
		made.past = object{pastType, (*pastView)(v)}
		v.named.all = made
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
		if v.subject != nil && callKinds.Has(v.subject.Block.Kind) {
			in := call.Setting{Place: call.Place{Cwd: v.exchange.Session.Cwd, Home: v.exchange.Session.Home}, Files: v, Programs: v.programs}
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
func (v *view) File(path string) *shell.File { return flow.Of(v.subject).File(path) }

// text is the text of a block that is not a call.
func (v *view) text() string {
	if v.subject == nil || !textKinds.Has(v.subject.Block.Kind) {
		return ""
	}
	return v.subject.Block.Text
}

// resultTool is the name of the tool whose result is judged.
func (v *view) resultTool() any {
	answered := &v.variables().answered
	answered.once.Do(func() {
		answered.tool = resultTool.unknown()
		if v.subject == nil || v.subject.Block.Kind != llm.ToolResult {
			answered.tool = ""
		} else if name := v.answeredTool(&v.subject.Block); name != "" {
			answered.tool = name
		}
	})
	return answered.tool
}

// answeredTool finds the name. Few dialects put it in the result: the call with
// the result's id has it.
func (v *view) answeredTool(result *llm.Block) string {
	if result.Name != "" || result.ToolUseID == "" {
		return result.Name
	}
	before := v.subject.Before()
	for i := range before {
		if isCallOf(&before[i], result.ToolUseID) {
			return before[i].Name
		}
	}
	return v.exchange.Called(result.ToolUseID)
}

func isCallOf(b *llm.Block, id string) bool {
	return (b.Kind == llm.ToolCall || b.Kind == llm.ServerTool) && b.ID == id && b.Name != ""
}

// now is the time at which the first expression on the subject asked for it, so
// that all of them see the same.
func (v *view) now() types.Timestamp {
	clock := &v.variables().clock
	clock.once.Do(func() {
		clock.now = types.Timestamp{Time: v.exchange.Now}
		if v.exchange.Now.IsZero() {
			clock.now.Time = time.Now()
		}
	})
	return clock.now
}

type (
	sessionView policy.Session
	keyView     policy.Key
)

// requestView is the request, parsed when an expression first uses it; its
// Request is nil if it is not known.
type requestView struct {
	*llm.Request

	read  sync.Once
	words struct {
		once sync.Once
		text string
	}
	list struct {
		once     sync.Once
		messages ref.Val
	}
	declared struct {
		once  sync.Once
		names []string
	}
}

// known reads the request and reports whether there is one.
func (r *requestView) known(x *policy.Exchange) bool {
	r.read.Do(func() { r.Request = x.Asked() })
	return r.Request != nil
}

func (r *requestView) tools() []string {
	r.declared.once.Do(func() {
		for i := range r.Tools {
			r.declared.names = append(r.declared.names, r.Tools[i].Name)
		}
	})
	return r.declared.names
}

func (r *requestView) userText() string {
	r.words.once.Do(func() { r.words.text = r.UserText() })
	return r.words.text
}

func (r *requestView) messages() ref.Val {
	r.list.once.Do(func() {
		views := make([]messageView, len(r.Messages))
		objects := make([]object, len(r.Messages))
		list := make([]ref.Val, len(r.Messages))
		for i := range views {
			views[i].Message = &r.Messages[i]
			objects[i] = object{messageType, &views[i]}
			list[i] = &objects[i]
		}
		r.list.messages = types.NewRefValList(adapter{}, list)
	})
	return r.list.messages
}

// messageView is a message of the request.
type messageView struct {
	*llm.Message

	words struct {
		once sync.Once
		text string
	}
}

// text is the message's text, including the results of tools.
func (m *messageView) text() string {
	m.words.once.Do(func() {
		var said []string
		for i := range m.Blocks {
			b := &m.Blocks[i]
			if (b.Kind == llm.Content || b.Kind == llm.Refusal || b.Kind == llm.ToolResult) && b.Text != "" {
				said = append(said, b.Text)
			}
		}
		m.words.text = strings.Join(said, "\n")
	})
	return m.words.text
}
