package agent

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/sluice-project/sluice/llm"
)

// LoggingConfig configures what is logged. The zero value is ready to use.
type LoggingConfig struct {
	// Logger receives the lines; nil means slog.Default() at that moment.
	Logger *slog.Logger
	// Order is the advisor's order. Inside the tool loop, where 0 puts it, it
	// sees the rounds; outside, with OutsideLoop - 1, the turn as a whole.
	Order int
	// Content also logs the beginning of requests and answers.
	Content bool
}

// Logging is the advisor that logs what passes it: a line when a round or a turn
// begins, at level debug, and one when it is over: at info if it ended or its consumer
// left, at warn if it failed, at error if it panicked. The panic then continues. There
// is exactly one line for each end.
//
// Lines contain numbers, names and errors, and never content unless Content is set.
// All text in them is of bounded length and without control characters, so that it
// is safe in a terminal. A logger that is not enabled for errors costs nothing.
type Logging struct{ cfg LoggingConfig }

// NewLogging returns the advisor.
func NewLogging(cfg LoggingConfig) *Logging { return &Logging{cfg} }

// Name is "logging".
func (l *Logging) Name() string { return "logging" }

// Order is the advisor's order.
func (l *Logging) Order() int { return l.cfg.Order }

func (l *Logging) logger() *slog.Logger {
	if l.cfg.Logger == nil {
		return slog.Default()
	}
	return l.cfg.Logger
}

// Advise logs the beginning and the end of what next does.
func (l *Logging) Advise(ctx context.Context, req *Request, next Next) Events {
	logger := l.logger()
	if !logger.Enabled(ctx, slog.LevelError) {
		return next(ctx, req)
	}
	return func(yield func(Event, error) bool) {
		p := passage{cfg: &l.cfg, logger: logger, req: req, what: "turn", began: time.Now()}
		if req.Round > 0 {
			p.what = "round"
		}
		if req.run != nil {
			p.from = len(req.run.rounds)
		}
		p.begin(ctx)
		p.run(ctx, next, yield)
	}
}

// passage is a round or a turn in progress.
type passage struct {
	cfg    *LoggingConfig
	logger *slog.Logger
	req    *Request
	what   string
	began  time.Time
	// from is how many rounds the run had before.
	from   int
	answer *Answer
	final  *Result
}

func (p *passage) run(ctx context.Context, next Next, yield func(Event, error) bool) {
	over := false
	defer func() {
		if over {
			return
		}
		// Not everything that unwinds is a panic: a test can end its goroutine.
		problem := recover()
		if problem == nil {
			p.end(ctx, slog.LevelInfo, "left")
			return
		}
		p.end(ctx, slog.LevelError, "panicked", slog.String("panic", oneLine(fmt.Sprint(problem), longestLogged)))
		panic(problem) //nolint:forbidigo // not ours: it goes on
	}()
	for ev, err := range next(ctx, p.req) {
		if err != nil {
			over = true
			p.end(ctx, slog.LevelWarn, "failed", errorAttr(err))
			yield(Event{}, err)
			return
		}
		switch ev.Type {
		case EventRoundEnd:
			p.answer = ev.Answer
		case EventFinal:
			over = true
			p.final = ev.Final
			p.end(ctx, slog.LevelInfo, "ended")
			yield(ev, nil)
			return
		default:
		}
		if !yield(ev, nil) {
			over = true
			p.end(ctx, slog.LevelInfo, "left")
			return
		}
	}
	over = true
	p.end(ctx, slog.LevelWarn, "failed", errorAttr(ErrNoFinal))
}

// begin logs the beginning.
func (p *passage) begin(ctx context.Context) {
	if !p.logger.Enabled(ctx, slog.LevelDebug) {
		return
	}
	attrs := make([]slog.Attr, 0, 5)
	if p.req.Round > 0 {
		attrs = append(attrs, slog.Int("round", p.req.Round))
	}
	attrs = append(attrs,
		slog.String("model", oneLine(p.req.Model, longestName)),
		slog.Int("messages", len(p.req.Messages)), slog.Int("tools", len(p.req.Tools)))
	if n := len(p.req.Messages); p.cfg.Content && n > 0 {
		attrs = append(attrs, slog.String("asked", said(p.req.Messages[n-1].Blocks)))
	}
	p.logger.LogAttrs(ctx, slog.LevelDebug, "agent: "+p.what+" begins", attrs...)
}

// end logs how it ended.
func (p *passage) end(ctx context.Context, level slog.Level, how string, why ...slog.Attr) {
	if !p.logger.Enabled(ctx, level) {
		return
	}
	attrs := make([]slog.Attr, 0, 16)
	answer := p.answer
	if p.final != nil && p.final.Answer != nil {
		answer = p.final.Answer
	}
	attrs = append(attrs, p.cost(answer)...)
	if answer != nil {
		attrs = append(attrs,
			slog.String("model", oneLine(answer.Model, longestName)), slog.String("finish", answer.Finish.String()))
	}
	attrs = append(attrs, slog.Duration("duration", time.Since(p.began)))
	if p.final != nil {
		attrs = append(attrs, slog.String("reason", oneLine(string(p.final.Reason), longestName)))
	}
	attrs = append(attrs, why...)
	if p.cfg.Content && answer != nil {
		attrs = append(attrs, slog.String("answered", said(answer.Blocks)))
	}
	p.logger.LogAttrs(ctx, level, "agent: "+p.what+" "+how, attrs...)
}

func errorAttr(err error) slog.Attr { return slog.String("error", oneLine(err.Error(), longestLogged)) }

// cost is the usage in the meantime.
func (p *passage) cost(answer *Answer) []slog.Attr {
	var sum llm.Usage
	rounds, calls := 0, 0
	if p.req.run != nil {
		for _, r := range p.req.run.rounds[min(p.from, len(p.req.run.rounds)):] {
			rounds++
			calls += r.Calls
			addUsage(&sum, r.Usage)
		}
	} else if answer != nil {
		rounds, calls, sum = 1, len(answer.Calls()), answer.Usage
	}
	count := slog.Int("rounds", rounds)
	if p.req.Round > 0 {
		count = slog.Int("round", p.req.Round)
	}
	return []slog.Attr{
		count, slog.Int("calls", calls), slog.Int64("input", sum.Input), slog.Int64("output", sum.Output),
		slog.Int64("cache_read", sum.CacheRead), slog.Int64("cache_write", sum.CacheWrite),
		slog.Int64("reasoning", sum.Reasoning),
	}
}

var _ Ordered = (*Logging)(nil)
