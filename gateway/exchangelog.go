package gateway

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/hook"
	modeljudge "github.com/sluice-project/sluice/policy/judge"
)

// journal collects what the log says about an exchange: a line at its end, and
// before it one for each block that was denied, would have been denied, or that a
// policy failed to judge. Everything is written at the end, so that no stream waits
// for a log, and nothing is allocated for an exchange without such blocks.
type journal struct {
	// verdicts counts the blocks by the action that was carried out.
	verdicts [policy.Abort + 1]int
	notes    []note
	left     int // notes beyond mostNotes
	// cause is the cause of the error that the client was told.
	cause string
}

// note is one thing that happened to a block.
type note struct {
	message string
	level   slog.Level
	attrs   []slog.Attr
}

// mostNotes is how many blocks of an exchange get a line of their own.
const mostNotes = 32

// The messages of the lines about single blocks.
const (
	saidBlocked    = "blocked"
	saidWouldBlock = "would be blocked"
	saidFailed     = "a policy could not judge"
)

// add adds the verdict on a block.
func (j *journal) add(r *policy.Record) {
	if int(r.Verdict.Action) < len(j.verdicts) {
		j.verdicts[r.Verdict.Action]++
	}
	if wasDenied(r) {
		j.note(slog.LevelInfo, saidBlocked, r, &r.Verdict, doubts(&r.Verdict)...)
	}
	for i := range r.Verdicts {
		v := &r.Verdicts[i]
		if v.Shadow && !v.Action.Passes() {
			j.note(slog.LevelInfo, saidWouldBlock, r, v, doubts(v)...)
		}
		switch v.Cause {
		case policy.CauseError, policy.CauseTimeout, policy.CausePanic:
			j.note(slog.LevelWarn, saidFailed, r, v, slog.String("cause", failureCause(v)), slog.String("counts_as", v.Action.String()))
		default:
		}
	}
}

// doubts says that a verdict is one about what is not known: what else the line says of the
// call is not why.
func doubts(v *policy.Verdict) []slog.Attr {
	if v.Cause != policy.CauseUnknown {
		return nil
	}
	return []slog.Attr{slog.String("cause", string(v.Cause))}
}

// wasDenied reports whether a block was kept from the client or the model.
func wasDenied(r *policy.Record) bool { return !r.Delivered && r.Verdict.Action.Blocks() }

// wouldBeDenied reports whether a policy in shadow mode would have denied a block
// that was delivered.
func wouldBeDenied(r *policy.Record) bool {
	return r.Delivered && slices.ContainsFunc(r.Verdicts, func(v policy.Verdict) bool { return v.Shadow && !v.Action.Passes() })
}

func (j *journal) note(level slog.Level, message string, r *policy.Record, v *policy.Verdict, more ...slog.Attr) {
	if len(j.notes) == mostNotes {
		j.left++
		return
	}
	attrs := []slog.Attr{slog.String("policy", short(v.Policy))}
	if r.Name != "" {
		attrs = append(attrs, slog.String("tool", short(r.Name)))
	} else {
		attrs = append(attrs, slog.String("kind", r.Kind.String()))
	}
	if v.Attempt != "" {
		attrs = append(attrs, slog.String("attempt", v.Attempt))
	}
	j.notes = append(j.notes, note{message, level, append(attrs, more...)})
}

// writeLog writes everything about an exchange that has ended.
func (x *exchange) writeLog() {
	level := slog.LevelInfo
	switch x.end.Outcome {
	case UpstreamError, Unreachable, Cut, TimedOut, Failed, Unjudged:
		level = slog.LevelWarn
	case Complete:
		if x.end.Status >= http.StatusBadRequest { // an error that was passed on
			level = slog.LevelWarn
		}
	default:
	}
	ctx := context.WithoutCancel(x.r.Context())
	if !x.g.log.Enabled(ctx, level) && !x.g.log.Enabled(ctx, slog.LevelWarn) {
		return
	}
	about := []slog.Attr{slog.String("exchange", x.info.ID)}
	if x.info.Session != "" {
		about = append(about, slog.String("session", x.info.Session))
	}
	if x.info.Canary {
		about = append(about, slog.Bool("canary", true))
	}
	for _, n := range x.journal.notes {
		x.g.log.LogAttrs(ctx, n.level, n.message, append(slices.Clone(n.attrs), about...)...)
	}
	if x.journal.left > 0 {
		x.g.log.LogAttrs(ctx, slog.LevelWarn, "further blocks were denied, would have been denied, or could not be judged", append(about, slog.Int("blocks", x.journal.left))...)
	}
	x.g.log.LogAttrs(ctx, level, "exchange", x.attrs(about)...)
}

// attrs are the attributes of the line about an exchange.
func (x *exchange) attrs(about []slog.Attr) []slog.Attr {
	attrs := make([]slog.Attr, 0, 20)
	text := func(name, value string) {
		if value != "" {
			attrs = append(attrs, slog.String(name, value))
		}
	}
	text("client", x.info.Client)
	text("key", x.info.Key)
	text("model", x.info.Model)
	if x.info.Model == "" || x.action != judge {
		text("method", x.info.Method)
		text("path", x.info.Path)
	}
	attrs = append(attrs, slog.Int("status", x.end.Status), slog.Duration("took", x.end.Duration.Round(time.Millisecond)))
	if x.action == judge && x.begun {
		attrs = append(attrs, slog.Int("blocks", x.end.Blocks))
		text("verdicts", x.journal.told())
		attrs = append(attrs, slog.Int("blocked", x.end.Blocked))
		if x.end.WouldBlock > 0 {
			attrs = append(attrs, slog.Int("would_block", x.end.WouldBlock))
		}
	}
	if x.end.Outcome != Complete {
		text("outcome", string(x.end.Outcome))
		text("upstream", x.info.Upstream)
		text("error", short(x.end.Error))
	}
	if x.journal.cause != x.end.Error {
		text("cause", short(x.journal.cause))
	}
	return append(attrs, about...)
}

// told formats the verdicts, the mildest first: "2 allow, 1 block end_turn".
func (j *journal) told() string {
	var b strings.Builder
	for action, n := range j.verdicts {
		if n == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(n) + " " + policy.Action(action).String())
	}
	return b.String()
}

// failureCause says why a policy failed, but nothing of what was judged or of what a
// model or an endpoint answered, which can be anything; the records have that.
func failureCause(v *policy.Verdict) string {
	if status, ok := errors.AsType[*model.StatusError](v.Err); ok {
		text := status.Host + " answered " + strconv.Itoa(status.Status)
		if status.Provider != nil {
			text += errorKind(status.Provider)
		}
		return text
	}
	if status, ok := errors.AsType[*hook.StatusError](v.Err); ok {
		return status.Error()
	}
	if answer, ok := errors.AsType[*modeljudge.AnswerError](v.Err); ok {
		return "the model's answer cannot be used: " + short(answer.Reason)
	}
	if answer, ok := errors.AsType[*hook.AnswerError](v.Err); ok {
		return "the endpoint's answer cannot be used: " + short(answer.Reason)
	}
	switch {
	case v.Cause == policy.CauseTimeout:
		return "it took too long"
	case v.Cause == policy.CausePanic:
		return "it panicked"
	case v.Err == nil:
		return "it gave no decision"
	}
	if lost, ok := errors.AsType[*model.ConnectionError](v.Err); ok {
		return lost.Host + ": " + networkCause(lost.Err)
	}
	return networkCause(v.Err)
}
