package flow

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// digest is what a list of messages brought into the conversation and did.
type digest struct {
	at     effect.Place
	client string
	// now: it is of the answer that is judged. Of its calls nobody has seen a
	// result.
	now bool
	// missing says what is not there, empty if everything is.
	missing            string
	untrusted, private sources
	// foreign are the results that others wrote, secrets those of private reads,
	// results are all of them, and said is what the user and the system say.
	foreign, secrets, results []passage
	said                      []string
	files                     *files
	// made are the calls by their ids and, for results that name a tool only,
	// by the tools' names.
	made map[string]made
	// streams: a command runs that returns what others wrote.
	streams bool
	// shows is what a command that runs may show of what is private.
	shows Source
	// issues are the repositories of which issues were read.
	issues map[string]bool
	// answered: there was a result since the last call.
	answered bool
}

// passage is a text and where it came from.
type passage struct {
	text string
	from Source
	// env: it is of a file of settings, or the environment.
	env bool
	// of are the files that the call read whose result it is.
	of []string
}

// made is a call that was made.
type made struct {
	from    Source
	foreign bool
	// private is where what it returns came from, if that is private.
	private Source
	// shows is the fetched file that it shows; fetches: it may write one, in
	// that turn.
	shows   showing
	fetches bool
	turn    int
	reads   []string
}

// mostRead is how many of the files that a call reads are remembered.
const mostRead = 8

// unknown is the source of what is missing.
func (d *digest) unknown() []Source {
	if d.missing == "" {
		return nil
	}
	return []Source{{Message: -1, Why: d.missing}}
}

// blocks reads the blocks of a message.
func (d *digest) blocks(blocks []llm.Block, role llm.Role, message int) {
	for i := range blocks {
		switch b := &blocks[i]; b.Kind {
		case llm.ToolCall, llm.ServerTool:
			d.call(b, message)
		case llm.ToolResult:
			d.result(b, message)
		case llm.Content:
			if role != llm.Assistant {
				d.words(b.Text)
			}
		case llm.Opaque:
			d.opaque(b)
		case llm.Thinking, llm.Refusal:
		}
	}
}

// words takes in what the user says. Clients that shorten a conversation put
// what is left of it into the user's mouth.
func (d *digest) words(text string) {
	if strings.HasPrefix(text, "This session is being continued from a previous conversation") {
		d.missing = "the conversation was shortened by the client"
		return
	}
	d.said = append(d.said, text)
}

// opaque takes in what stands for something that is not there.
func (d *digest) opaque(b *llm.Block) {
	switch b.Type {
	case "item_reference":
		// What the model said itself is of no matter.
		if strings.Contains(string(b.Raw), `"rs_`) || strings.Contains(string(b.Raw), `"msg_`) {
			return
		}
		d.missing = "an item of the conversation is only named"
	case "compaction", "compaction_summary", "context_compaction":
		d.missing = "the conversation was shortened by the provider"
	}
}

// call takes in a call.
func (d *digest) call(b *llm.Block, message int) {
	c := &call.Call{}
	c.Fill(b, call.Setting{Place: d.at, Files: invocation.FileFunc(d.files.follow), Client: d.client}, false)
	from := Source{Tool: b.Name, Message: message}
	if from.Tool == "" {
		from.Tool = c.Name
	}
	if d.answered {
		d.files.turn++
		d.answered = false
	}
	if b.Kind == llm.ToolCall {
		d.files.take(c, d.at) // first: a call may read what it wrote itself
	}
	brings := d.label(c, b)
	m := made{from: from, foreign: brings.foreign != ""}
	if m.foreign {
		m.from.Why, m.from.Object = brings.foreign, brings.of
		if b.Kind == llm.ServerTool {
			d.untrusted.add(m.from)
		}
	}
	if brings.private != "" {
		from.Why, from.Object = brings.private, brings.secret
		d.private.add(from)
		m.private = from
		if c.Kind == call.KindShell {
			d.shows = from
		}
	} else if continues(c.Name) {
		m.private = d.shows
	}
	if !d.now {
		m.shows, m.turn, m.reads = d.files.shows(c), d.files.turn, slices.Clone(c.Reads[:min(len(c.Reads), mostRead)])
		m.fetches = slices.ContainsFunc(c.Effects, func(e effect.Effect) bool { return e.Verb == effect.Fetch })
		if b.ID != "" {
			d.made[b.ID] = m
		}
		if b.Name != "" {
			d.made["\x00"+b.Name] = m
		}
	}
}

// result takes in the result of a call.
func (d *digest) result(b *llm.Block, message int) {
	m, ok := d.made[b.ToolUseID]
	named := ok && b.ToolUseID != ""
	if !named {
		m, ok = d.made["\x00"+b.Name]
	}
	switch {
	case !ok && strings.HasSuffix(b.Type, "_tool_result") && b.Type != "mcp_tool_result" && !strings.HasPrefix(b.Type, "web"):
		m = made{from: Source{Tool: b.Type}} // of the provider's own code execution and editor
	case !ok:
		m = made{from: Source{Tool: b.Name, Why: "the result of a call that is not known"}, foreign: true}
	}
	d.answered = true
	if m.fetches {
		d.files.loosen(m.turn, b.Text)
	}
	if m.shows.path != "" && named && !b.Failed {
		d.files.show(&m.shows, b.Text)
	}
	m.from.Message = message
	if isReset(d.client, b.Text, d.at.Cwd) {
		d.files.returned()
	}
	if m.foreign {
		d.untrusted.add(m.from)
		d.foreign = append(d.foreign, passage{text: b.Text, from: m.from})
	}
	if b.Text != "" && m.private.Why != "" {
		m.private.Message = message
		d.secrets = append(d.secrets, passage{text: b.Text, from: m.private, env: isPrivate(m.private.Object, d.at.Cwd) || m.private.Object == "environment"})
	}
	if b.Text != "" {
		d.results = append(d.results, passage{text: b.Text, from: m.from, of: m.reads})
	}
}
