package gateway

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/sluice-project/sluice/model/scripted"
)

// canaryHeader marks a request that asks the gateway to prove that it judges.
const canaryHeader = "X-Sluice-Canary"

// textCallsHeader tells the sender of a canary what it does not prove: the forms in
// which agents of this gateway have models write calls as text.
const textCallsHeader = "X-Sluice-Text-Calls"

// noteHeader tells the sender of a canary about the policies as a whole, such as
// that recommended is left out.
const noteHeader = "X-Sluice-Policies-Note"

// canaryCommand is a call that every useful set of policies blocks.
const canaryCommand = `{"command":"rm -rf / --no-preserve-root"}`

// maxCanary is the size limit of a canary: a question of one line needs no more.
const maxCanary = 16 << 10

func canaryTooLarge(limit int64) *refusal {
	return &refusal{http.StatusRequestEntityTooLarge, fmt.Sprintf("a canary is larger than %d bytes; ask it a short question, or leave out the header %s", limit, canaryHeader), Refused}
}

func (x *exchange) isCanary() bool {
	return x.r.Header.Get(canaryHeader) != "" && x.r.Method == http.MethodPost && x.isQuestion()
}

// canary answers in place of the upstream with a destructive call, which goes
// through the same engine, writer and connection as any other: a client that gets
// it unblocked is not protected. No provider is asked.
func (x *exchange) canary() *http.Response {
	script := scripted.New(scripted.Round{
		scripted.Text("This is a canary of Sluice: the call that follows must be blocked."),
		scripted.Call("Bash", canaryCommand),
	})
	request := x.r.Clone(x.ctx)
	request.Body = io.NopCloser(bytes.NewReader(x.in.plain))
	if forms := x.g.textCallers.seen(); len(forms) > 0 {
		x.w.Header().Set(textCallsHeader, strings.Join(forms, "; "))
	}
	if note := x.g.config.Policies.Load().Note(); note != "" {
		x.w.Header().Set(noteHeader, note)
	}
	answer := &played{header: make(http.Header), status: http.StatusOK}
	script.Handler(x.format).ServeHTTP(answer, request)
	res := &http.Response{StatusCode: answer.status, Header: answer.header, Body: io.NopCloser(&answer.body), ContentLength: -1}
	if res.StatusCode != http.StatusOK {
		x.passError(res)
		return nil
	}
	return res
}

// played records what a handler answers.
type played struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header returns the headers.
func (p *played) Header() http.Header { return p.header }

// WriteHeader records the status.
func (p *played) WriteHeader(status int) { p.status = status }

// Write records bytes.
func (p *played) Write(b []byte) (int, error) { return p.body.Write(b) }

// Flush does nothing: everything is there at once.
func (p *played) Flush() {}
