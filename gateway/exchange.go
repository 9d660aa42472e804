package gateway

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/stream"
)

// exchange is one request of a client and its answer.
type exchange struct {
	g *Gateway
	w http.ResponseWriter
	r *http.Request

	route
	info  Exchange
	who   policy.Key
	known bool // by a key of Sluice
	query string
	// header is what the upstream gets.
	header http.Header
	in     *received
	engine *policy.Engine

	//nolint:containedctx // it lives as long as the exchange
	ctx    context.Context
	cancel context.CancelCauseFunc
	sink   *sink
	conn   *ahead // that the answer arrives on, nil if it is not known
	clock  *clock
	keep   Recorder

	entered bool
	// before and after are its neighbours in the list of running exchanges.
	before, after *exchange
	begun         bool // its start was reported
	telling       bool // a verdict is being reported
	work          int  // bytes judged since the runtime's watcher was woken
	end           End
	journal       journal
	denied        []denied
	// owner says whose conversations the exchange can continue; see owned.
	owner string
	// answering is the conversation in which this request answers blocked calls.
	answering string
	// transcript is that of the answer, nil if no request can continue from it.
	transcript *transcript
	control    *http.ResponseController
	// mem is memory for what every exchange needs, allocated at once.
	mem struct {
		in      received
		once    sync.Once
		request *llm.Request
		over    *llm.RequestLimitError // why the request was not read
		unread  string                 // why it could not be
		about   policy.Exchange
		sink    sink
		clock   clock
		answer  answer
	}
}

// serve answers the request. Each step returns before the next one starts, so that
// an exchange waits on a small stack.
func (x *exchange) serve() {
	defer x.finish()
	if !x.arrive() {
		return
	}
	defer x.cancel(nil)
	switch x.action {
	case judge:
		x.judge()
	case forward:
		x.forward()
	case refuse:
	}
}

// arrive determines where the request goes and who sent it. It returns false if
// the request was refused.
func (x *exchange) arrive() bool {
	x.info = Exchange{ID: newID(), Started: time.Now(), Method: x.g.noted(x.r.Method), Path: x.g.noted(x.r.URL.Path)}
	x.w.Header().Set("X-Sluice-Exchange", x.info.ID)
	x.header = requestHeaders(x.r.Header)
	var key string
	key, x.query = takeKey(x.header, x.r.Header.Get(ownKeyHeader), x.r.URL.RawQuery)
	x.route = x.g.find(x.r.Method, x.r.URL.EscapedPath(), x.query, x.header)
	x.info.Format, x.info.Upstream = string(x.format), x.provider.String()
	if no := x.admit(key); no != nil {
		x.refuse(no)
		return false
	}
	return true
}

// admit says why a request is not served, nil if it is.
func (x *exchange) admit(key string) *refusal {
	if why := x.g.browserRefused(x.r); why != "" {
		return &refusal{http.StatusForbidden, why, Refused}
	}
	found, needed := x.g.findKey(key)
	if x.known = found != nil; x.known {
		x.who = found.Key
	}
	if needed && !x.known {
		message := "a Sluice key (slk_...) is needed, in the header X-Sluice-Key or in place of the provider's key"
		if key != "" {
			message = "this Sluice key is not known here; ask whoever runs the gateway for a valid one"
		}
		return &refusal{http.StatusUnauthorized, message, Refused}
	}
	x.info.Key, x.info.User = x.who.Name, x.who.User
	if x.known && !found.Roles.may(RoleSend) {
		return &refusal{http.StatusForbidden, fmt.Sprintf("the Sluice key %s may not send requests to models: its roles are %s; use one with the role send", found.Name, found.Roles), Refused}
	}
	if x.g.bringsAdminToken(x.r) {
		return &refusal{http.StatusForbidden, "this is the admin token of the gateway, which is not for providers; send your own credential", Refused}
	}
	if namesKey(x.r.URL.EscapedPath()) {
		return &refusal{http.StatusBadRequest, "a Sluice key is in the path; send it in the header X-Sluice-Key", Refused}
	}
	if strings.Contains(strings.ToLower(x.r.Header.Get("Upgrade")), "websocket") {
		return &refusal{http.StatusUpgradeRequired, "WebSockets are not served; send the request over HTTP", Refused}
	}
	if x.action == refuse {
		return &refusal{x.status, x.why, Refused}
	}
	if err := x.storage(); err != nil && x.g.config.Failure.RefuseWithoutStorage {
		return &refusal{http.StatusServiceUnavailable, "records cannot be written, and failure.storage is set to refuse requests then: " + err.Error(), Failed}
	}
	x.ctx, x.cancel = context.WithCancelCause(x.r.Context())
	return x.g.enter(x)
}

func (x *exchange) storage() error {
	if x.g.config.Storage == nil {
		return nil
	}
	return x.g.config.Storage()
}

// judge lets the policies judge the answer. Its steps follow each other and do not
// nest: most exchanges spend most of their time waiting in the last one, on a
// small stack.
func (x *exchange) judge() {
	if !x.prepare() {
		return
	}
	defer x.clock.stop()
	res := x.open()
	if res == nil {
		return
	}
	defer func() { _ = res.Body.Close() }()
	if src := x.source(res); src != nil {
		defer src.Close()
		x.run(src)
	}
}

// prepare reads the request and creates the engine. It returns false if the
// request was refused.
func (x *exchange) prepare() bool {
	in, no := x.readRequest()
	if no == nil && (len(in.plain) > 0 || x.r.Method == http.MethodPost && x.isQuestion()) {
		no = in.learn()
	}
	if no == nil && x.streams && !(strings.Contains("&"+x.query+"&", "&alt=sse&") && onlyValue(x.query, "alt", "sse")) {
		no = &refusal{http.StatusBadRequest, "a stream as a JSON array is not judged; add ?alt=sse to the URL, as the official SDKs do", Refused}
	}
	if no != nil {
		x.refuse(no)
		return false
	}
	x.in = in
	if no := x.bounded(); no != nil {
		x.refuse(no)
		return false
	}
	in.stream = in.stream || x.streams || x.r.Method == http.MethodGet && slices.Contains(parameter(x.query, "stream"), "true")
	x.info.Model, x.info.Stream = x.modelName(), in.stream
	x.engine = x.newEngine()
	x.noteTextCalls()
	x.begin()
	x.sink = x.mem.sink.open(x.w, x.control, corkOf(x.r), x.g.config.Limits.Write)
	x.clock = x.mem.clock.start(&x.g.config.Limits, x.cancel, x.alive())
	return true
}

// newEngine creates the engine of the exchange with the policies currently in
// force.
func (x *exchange) newEngine() *policy.Engine {
	set := x.g.config.Policies.Load()
	session := x.g.session(x.r.Header, x.in)
	x.info.Session, x.info.Client, x.info.Policies = session.ID, session.Client, set.Version()
	about := &x.mem.about
	*about = policy.Exchange{
		Read:    x.read,
		Session: session, Key: x.who, Ledger: x.g.config.Ledger,
	}
	if x.canBeContinued() {
		x.transcript = new(transcript)
	}
	if from := x.goesOnFrom(); from != "" {
		about.Earlier = sync.OnceValues(func() ([]llm.Message, bool) { return x.earlier(from) })
	}
	return policy.NewEngine(set, about, policy.Options{
		Format: x.format, Whole: !x.in.stream, Approver: x.g.config.Approver, Limits: x.g.config.Limits.Policy,
		Judging: x.judging, Record: x.record,
	})
}

// judging is called before a block of the answer is judged. Policies also look at
// the request, and at the conversation before it.
func (x *exchange) judging(size int) {
	x.work += size + len(x.in.plain) + leastWork
	if x.work > shortWork || x.mem.about.Earlier != nil {
		x.work = 0
		wakeWatcher()
	}
}

// open asks the upstream and returns its answer, nil if the client has already
// been answered.
func (x *exchange) open() *http.Response {
	if x.info.Canary {
		return x.canary()
	}
	body, err := x.question()
	if err != nil {
		x.settle(err, nil)
		return nil
	}
	if body == nil {
		return nil // it was answered without the upstream
	}
	res, err := x.ask(body)
	if err != nil {
		x.settle(err, nil)
		return nil
	}
	if res.StatusCode < 200 || res.StatusCode > 299 {
		x.passError(res)
		_ = res.Body.Close()
		return nil
	}
	if x.answering != "" {
		x.g.repairs.forget(x.answering)
	}
	return res
}

// isQuestion reports whether the path asks a model, so that a body is needed.
func (x *exchange) isQuestion() bool {
	return !strings.HasSuffix(x.path, "/cancel")
}

// modelName is the model that was asked for: Gemini has it in the path.
func (x *exchange) modelName() string {
	if x.provider != gemini {
		return label(x.in.model)
	}
	last := x.path[strings.LastIndexByte(x.path, '/')+1:]
	name, _, _ := strings.Cut(last, ":")
	return label(name)
}

// read reads the request for policies that look at it, once. It is nil if it cannot
// be read.
func (x *exchange) read() *llm.Request {
	x.mem.once.Do(func() { x.mem.request = x.readBody() })
	return x.mem.request
}

func (x *exchange) readBody() *llm.Request {
	if len(x.in.plain) == 0 {
		return nil
	}
	req, err := x.format.ReadRequestWithin(x.in.plain, x.g.config.Limits.Request)
	if err != nil {
		x.mem.over, _ = errors.AsType[*llm.RequestLimitError](err)
		x.mem.unread = err.Error()
		return nil
	}
	if x.provider == gemini {
		req.Model, req.Stream = x.modelName(), x.in.stream || x.streams
	}
	return req
}

// alive returns the function that sends keepalives to the client, nil if nothing
// can be sent before the answer.
func (x *exchange) alive() func(time.Time) time.Duration {
	if !x.in.stream {
		return nil
	}
	x.sink.form(http.StatusOK, false, streamHeaders)
	sign, limits := x.g.signs[x.format], &x.g.config.Limits
	return func(now time.Time) time.Duration {
		return x.sink.keepalive(sign, limits.FirstEvent, limits.Keepalive, now)
	}
}

// question is the body that the upstream gets: the bytes that arrived, unless a
// policy changed a tool result in it or a blocked call has to be answered.
func (x *exchange) question() ([]byte, error) {
	plain, err := x.engine.JudgeRequest(x.ctx, x.in.plain)
	if x.mem.over != nil {
		return nil, tooMuch(x.mem.over) // it says more than that the request cannot be read
	}
	if err != nil {
		return nil, err
	}
	if len(plain) == 0 {
		return []byte{}, nil
	}
	plain, answered, err := x.repair(plain)
	if err != nil || answered {
		return nil, err
	}
	if &plain[0] == &x.in.plain[0] && len(plain) == len(x.in.plain) {
		return x.in.wire, nil
	}
	x.header.Del("Content-Encoding")
	x.header.Del("Idempotency-Key") // it belongs to the original body
	return plain, nil
}

// ask asks the upstream.
func (x *exchange) ask(body []byte) (*http.Response, error) {
	up := x.g.upstreams[x.provider]
	if up.key != "" && x.known && !hasCredential(x.header, x.query) { // never for unknown clients
		addCredential(x.header, x.provider, up.key)
	}
	res, err := x.g.send(connOf(x.ctx, &x.conn), &asked{to: up, method: x.r.Method, url: up.url(x.path, x.query), header: x.header, body: body})
	if err != nil {
		return nil, err
	}
	if res.StatusCode < 200 { // nobody asked for another protocol, and it could not be judged
		_ = res.Body.Close()
		return nil, &refusal{http.StatusBadGateway, fmt.Sprintf("the upstream %s tries to switch to another protocol (status %d)", x.provider, res.StatusCode), Cut}
	}
	if res.StatusCode >= 300 && res.StatusCode < 400 && res.StatusCode != http.StatusNotModified {
		_ = res.Body.Close()
		return nil, &refusal{http.StatusBadGateway, fmt.Sprintf("the upstream %s redirects (status %d), which could bypass the gateway; set --upstream-%s to the new address",
			x.provider, res.StatusCode, x.provider), UpstreamError}
	}
	return res, nil
}

// source is the upstream's answer as the engine reads it, nil if it cannot be.
func (x *exchange) source(res *http.Response) *answer {
	body, err := decoded(res.Body, encodingOf(res.Header))
	if err != nil {
		x.settle(&refusal{http.StatusBadGateway, "the upstream answered with a content encoding that cannot be read, although it was asked for none", Cut}, nil)
		return nil
	}
	if x.g.config.Record != nil {
		x.keep = x.g.config.Record(x.info)
	}
	src := &x.mem.answer
	*src = answer{conn: alone(res, x.conn), ctx: x.ctx, format: x.format, body: body, sink: x.sink, clock: x.clock, keep: x.keep, limit: x.g.config.Limits.Answer}
	whole, err := src.form(x.g.config.Limits.Payload)
	if err == nil && !x.sink.form(res.StatusCode, whole, func(h http.Header) { answerHeaders(h, res.Header, whole) }) {
		err = &refusal{http.StatusBadGateway, "the upstream answered a request for a stream with a body, after the stream had begun", Cut}
	}
	if err != nil {
		x.settle(err, nil)
		_ = body.Close()
		return nil
	}
	x.end.Status = res.StatusCode
	x.engine.Came(whole)
	return src
}

// fewTexts is how much of an answer's texts is kept if nothing needs them: many
// streams can wait for clients that do not read.
const fewTexts = 16 << 10

// keptTexts is how much of the answer's texts is kept if no policy reads them. A
// request that continues from the answer is judged with them.
func (x *exchange) keptTexts() int {
	if x.transcript != nil {
		return policy.MaxTexts
	}
	return fewTexts
}

// run runs the engine over an answer and delivers what may pass.
func (x *exchange) run(src *answer) {
	pooled := x.pooledOutput()
	out := &pooled.Output
	err := x.engine.Run(x.ctx, x.sourceOf(src), out, policy.RunOptions{
		Keepalive: -1, // the clock does it
		Limits:    stream.Limits{Bytes: 2 * x.g.config.Limits.Answer},
		Texts:     x.keptTexts(),
		Stop:      func() { x.cancel(errOver) },
		Watched:   true,
		Flush: func() error {
			if out.Terminated() {
				return nil // an error, which may still get a status of its own
			}
			return x.sink.Flush()
		},
	})
	x.remember(src.id)
	if err == nil {
		x.keepTurn(src.id) // before the client has the end and can continue from it
	}
	x.settle(err, out)
	if x.end.Outcome == Complete {
		x.keepTurn(src.id)
	}
	if err == nil {
		pooled.giveBack() // the run is over, and nothing else writes
	}
}
