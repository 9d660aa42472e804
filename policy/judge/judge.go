package judge

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/internal/decisions"
	"github.com/sluice-project/sluice/stream"
)

// Judge asks a model about blocks. It is safe for concurrent use and needs no
// closing.
type Judge struct {
	cfg    Config
	system string
	asker  *decisions.Asker[opinion]
}

// opinion is a model's answer, sanitized for display.
type opinion struct {
	risk   float64
	reason string
	model  string
	usage  llm.Usage
}

// Judge asks the model about a block and waits for the answer, until ctx is
// done or Config.Timeout is over. A failure is a verdict without an action,
// with Err and Cause set.
func (j *Judge) Judge(ctx context.Context, s *policy.Subject) policy.Verdict {
	m := matterOf(s, s.Before(), j.cfg.Conversation)
	answer, err := j.asker.Ask(ctx, m.key(&j.cfg), func(ctx context.Context) (opinion, error) {
		return j.ask(ctx, m)
	})
	if err != nil {
		return decisions.Failure(fmt.Errorf("judge %s: %w", j.cfg.Name, err))
	}
	return j.verdict(answer, m)
}

// ask makes one attempt, with its own id.
func (j *Judge) ask(ctx context.Context, m *matter) (opinion, error) {
	id, text := m.question()
	req := &llm.Request{
		System:      []llm.Block{{Kind: llm.Content, Text: j.system}},
		Messages:    []llm.Message{{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content, Text: text}}}},
		MaxTokens:   j.cfg.MaxTokens,
		Temperature: j.cfg.Temperature,
	}
	state := stream.NewState(stream.Limits{Choices: 1, Blocks: maxAnswerBlocks, Bytes: maxAnswer})
	for _, err := range model.Track(j.cfg.Model.Stream(ctx, req), state) {
		if err != nil {
			return opinion{}, classify(err)
		}
	}
	said, err := finalText(state)
	if err != nil {
		return opinion{}, classify(err)
	}
	risk, reason, err := readAnswer(said, id)
	if err != nil {
		return opinion{}, classify(err)
	}
	response := state.Response()
	response.Usage.Raw = nil // not worth caching
	return opinion{
		risk: risk, reason: decisions.OneLine(reason, maxReason),
		model: decisions.OneLine(response.Model, maxName), usage: response.Usage,
	}, nil
}

// verdict turns an opinion into a verdict.
func (j *Judge) verdict(answer decisions.Answer[opinion], m *matter) policy.Verdict {
	o := answer.Value
	v := policy.Verdict{Action: policy.Allow, Notes: []string{
		fmt.Sprintf("risk %s, threshold %s", number(o.risk), number(j.cfg.Threshold)),
	}}
	if o.risk >= j.cfg.Threshold {
		v.Action = j.cfg.Then
		v.Reason = fmt.Sprintf("the judge %s found it too risky", j.cfg.Name)
		if o.reason != "" {
			// Its own quotes would let it end the quotation.
			v.Reason += `, in its own words: "` + strings.Map(noQuote, o.reason) + `"`
		}
	} else if o.reason != "" {
		v.Notes = append(v.Notes, "judge: "+o.reason)
	}
	if cut := m.notShown(); len(cut) > 0 {
		v.Notes = append(v.Notes, "not shown in full: "+strings.Join(cut, ", "))
	}
	if o.model != "" {
		v.Notes = append(v.Notes, "model "+o.model)
	}
	switch answer.Source {
	case decisions.Remembered:
		v.Notes = append(v.Notes, "remembered")
	case decisions.Shared:
		v.Notes = append(v.Notes, "shared with the same question")
	case decisions.Asked:
		if !o.usage.IsZero() {
			v.Notes = append(v.Notes, fmt.Sprintf("tokens: %d in, %d out", o.usage.Input, o.usage.Output))
		}
		if answer.Attempts > 1 {
			v.Notes = append(v.Notes, fmt.Sprintf("attempts: %d", answer.Attempts))
		}
	}
	return v
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }

func noQuote(r rune) rune {
	switch r {
	case '"', '“', '”', '„', '«', '»', '`', '\\':
		return '\''
	}
	return r
}
