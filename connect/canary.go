package connect

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/sluice-project/sluice/internal/plain"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/recording"
)

// CanaryHeader marks a request that the gateway answers itself: with a destructive
// call, which goes through the same policies as every other answer.
const CanaryHeader = "X-Sluice-Canary"

// TextCallsHeader lists, in the answer to a canary, the forms in which agents behind
// the gateway have models write calls as text. Such calls are not judged.
const TextCallsHeader = "X-Sluice-Text-Calls"

// NoteHeader carries, in the answer to a canary, a note about the gateway's policies
// as a whole.
const NoteHeader = "X-Sluice-Policies-Note"

// CanaryModel is the model that a canary request names.
const CanaryModel = "sluice-canary"

// Gateway is a gateway to be checked.
type Gateway struct {
	// BaseURL is the gateway, without /v1.
	BaseURL string
	// Key is the Sluice key, empty if the gateway needs none.
	Key string
	// Private: it is the gateway of one run, which no client's own settings name.
	Private bool
	// HTTP sends the requests; nil for a client without a proxy that follows no
	// redirects.
	HTTP *http.Client
}

// Check is the result of one check.
type Check struct {
	// Name says what was checked, in a few words.
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	// Expected is what must hold, as a sentence without its full stop.
	Expected string `json:"expected"`
	// Detail is what was found.
	Detail string `json:"detail"`
	// Advice is what to do, empty if the check passed.
	Advice string `json:"advice"`

	textCalls, note string
	absent          bool // the client is not installed
}

// Result is what a canary or the doctor found.
type Result struct {
	// Protected is true if every required check passed: a destructive call does not
	// get through.
	Protected bool    `json:"protected"`
	Checks    []Check `json:"checks"`
	// TextCalls is what the checks do not prove: the forms in which agents behind
	// the gateway have models write calls as text, empty if none is known.
	TextCalls string `json:"text_calls,omitempty"`
	// Note is about the gateway's policies as a whole, such as that the preset
	// recommended is left out; it can be empty.
	Note string `json:"note,omitempty"`
	// Missing is the title of the client if it is not installed, and that is all that
	// failed: what would be protected is not there.
	Missing string `json:"not_installed,omitempty"`
}

// add adds a check. One that fails makes the result unprotected.
func (r *Result) add(c Check) {
	r.Checks = append(r.Checks, c)
	r.Protected = r.Protected && c.OK
	r.TextCalls, r.Note = cmp.Or(r.TextCalls, c.textCalls), cmp.Or(r.Note, c.note)
}

// maxAnswer is the size limit of a canary's answer.
const maxAnswer = 1 << 20

// canaryTimeout bounds one question.
const canaryTimeout = 30 * time.Second

// Canary proves that the policies judge a dialect: it asks the gateway for the
// canary's destructive call, whole and streamed, and checks that it comes back
// blocked. Anything else (no answer, another program at that address, an answer
// with neither a call nor a policy's notice) is not a proof.
func Canary(ctx context.Context, g Gateway, format wire.Format) Result {
	result := Result{Protected: true}
	for _, streamed := range []bool{false, true} {
		name := string(format) + ", whole"
		if streamed {
			name = string(format) + ", streamed"
		}
		check := g.canary(ctx, format, streamed)
		check.Name, check.Expected = "canary "+name, "the gateway answers with a destructive call, and a policy blocks it"
		result.add(check)
	}
	return result
}

// canary asks once.
func (g Gateway) canary(ctx context.Context, format wire.Format, streamed bool) Check {
	ctx, cancel := context.WithTimeout(ctx, canaryTimeout)
	defer cancel()
	req, err := g.canaryRequest(ctx, format, streamed)
	if err != nil {
		return Check{Detail: err.Error(), Advice: "check the URL of the gateway"}
	}
	client := g.HTTP
	if client == nil {
		transport := &http.Transport{} // no proxy: it would answer instead of the gateway
		defer transport.CloseIdleConnections()
		client = &http.Client{
			Transport:     transport,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
	}
	res, err := client.Do(req)
	if dns, unknown := errors.AsType[*net.DNSError](err); unknown && dns.IsNotFound {
		return Check{Detail: plain.Error(err), Advice: "correct the name in the URL of the gateway"}
	}
	if err != nil {
		return Check{Detail: plain.Error(err), Advice: "start a gateway there with `sluice serve`, or permanently with `sluice service install`; or name another with --url"}
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	switch {
	case err != nil:
		return Check{Detail: "the answer broke off: " + plain.Error(err), Advice: "check the gateway's log"}
	case len(body) > maxAnswer:
		return Check{Detail: "NOT PROTECTED: the answer is too long for a canary's", Advice: notSluice}
	case res.StatusCode == http.StatusUnauthorized || res.StatusCode == http.StatusForbidden:
		return Check{Detail: fmt.Sprintf("the gateway asks for a key that it knows (status %d)", res.StatusCode), Advice: "put a valid Sluice key into SLUICE_KEY, or name another variable with --key-env"}
	case res.StatusCode != http.StatusOK:
		return Check{Detail: fmt.Sprintf("NOT PROTECTED: status %d instead of the canary's answer: %s", res.StatusCode, excerpt(body)), Advice: notSluice}
	}
	check := read(body, format, streamed)
	check.textCalls, check.note = res.Header.Get(TextCallsHeader), res.Header.Get(NoteHeader)
	return check
}

const notSluice = "make sure that a Sluice gateway of this version answers at that URL, and no other program"

// read judges an answer.
func read(body []byte, format wire.Format, streamed bool) Check {
	if isStream := !bytes.HasPrefix(bytes.TrimLeft(body, " \r\n\t"), []byte("{")); isStream != streamed {
		return Check{Detail: "NOT PROTECTED: the answer has the wrong form: " + excerpt(body), Advice: notSluice}
	}
	report, err := recording.Inspect(bytes.NewReader(body), recording.Options{Format: format})
	if err == nil && report.Failure != nil {
		err = report.Failure
	}
	if err != nil {
		return Check{Detail: "NOT PROTECTED: the answer cannot be read: " + err.Error(), Advice: notSluice}
	}
	blocked := ""
	for _, choice := range report.Choices {
		for _, block := range choice.Blocks {
			switch {
			case block.Kind == llm.Content && blocked == "":
				blocked = notice(block.Text)
			case block.Kind == llm.Content, block.Kind == llm.Thinking:
			default:
				return Check{
					Detail: fmt.Sprintf("NOT PROTECTED: the destructive call %q came through", block.Name),
					Advice: "load a policy that blocks destructive commands, for example `preset: recommended`, in mode enforce",
				}
			}
		}
	}
	if blocked == "" {
		return Check{Detail: "NOT PROTECTED: no policy spoke: " + excerpt(body), Advice: notSluice}
	}
	return Check{OK: true, Detail: "a destructive call is blocked: " + blocked}
}

// notice finds the notice about a blocked call in a text.
func notice(text string) string {
	at := strings.Index(text, "[Sluice blocked the tool call ")
	if at < 0 {
		return ""
	}
	text = text[at:]
	policy := strings.Index(text, "(policy ")
	if policy < 0 {
		return ""
	}
	end := strings.Index(text[policy:], ")]")
	if end < 0 {
		return ""
	}
	return text[:policy+end+2]
}

// excerpt is the beginning of an answer on one line.
func excerpt(body []byte) string {
	text := strings.Join(strings.Fields(strings.ToValidUTF8(string(body[:min(len(body), 200)]), "?")), " ")
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, text)
}

// canaryRequest is the smallest request of a dialect.
func (g Gateway) canaryRequest(ctx context.Context, format wire.Format, streamed bool) (*http.Request, error) {
	base, err := BaseURL(g.BaseURL)
	if err != nil {
		return nil, err
	}
	path, body, ok := canaryBody(format, streamed)
	if !ok {
		return nil, errors.New("connect: no canary is known for " + string(format))
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, base+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set(CanaryHeader, "1")
	if format == wire.Anthropic {
		req.Header.Set("Anthropic-Version", "2023-06-01")
	}
	if g.Key != "" {
		req.Header.Set("X-Sluice-Key", g.Key)
	}
	return req, nil
}

// canaryBody returns path and body of a dialect's request.
func canaryBody(format wire.Format, streamed bool) (path, body string, ok bool) {
	const ask = "Answer with the canary."
	switch format {
	case wire.Anthropic:
		return "/v1/messages", fmt.Sprintf(`{"model":%q,"max_tokens":256,"stream":%t,"messages":[{"role":"user","content":%q}]}`, CanaryModel, streamed, ask), true
	case wire.OpenAIChat:
		return "/v1/chat/completions", fmt.Sprintf(`{"model":%q,"stream":%t,"messages":[{"role":"user","content":%q}]}`, CanaryModel, streamed, ask), true
	case wire.OpenAIResponses:
		return "/v1/responses", fmt.Sprintf(`{"model":%q,"stream":%t,"store":false,"input":[{"role":"user","content":%q}]}`, CanaryModel, streamed, ask), true
	case wire.Gemini:
		method := ":generateContent"
		if streamed {
			method = ":streamGenerateContent?alt=sse"
		}
		return "/v1beta/models/" + CanaryModel + method, fmt.Sprintf(`{"contents":[{"role":"user","parts":[{"text":%q}]}]}`, ask), true
	}
	return "", "", false
}
