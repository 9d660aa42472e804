package sluicetest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"
)

// serve answers one request.
func (up *Upstream) serve(w http.ResponseWriter, r *http.Request) {
	if !up.enter() {
		// The server would wait for the rest of a body that may never arrive.
		_ = http.NewResponseController(w).SetReadDeadline(time.Now())
		panic(http.ErrAbortHandler)
	}
	defer up.handlers.Done()

	var body recording
	r.Body = recordedBody{io.TeeReader(r.Body, &body), r.Body}
	reply := up.choose(r)
	if problem := reply.problem(r); problem != "" {
		up.complain(problem)
		reply = Reply{Status: http.StatusInternalServerError, Body: []byte(problem + "\n")}
	}
	received := receive(r)
	if !reply.Unread {
		_, received.Err = io.Copy(io.Discard, r.Body)
	}
	if received.Body = body.kept.Bytes(); body.long && received.Err == nil {
		received.Err = fmt.Errorf("keep a request's body: it is longer than %d bytes", maxReceivedBody)
	}

	ctx, leave := context.WithCancel(r.Context())
	defer leave()
	gone, done := make(chan struct{}), make(chan struct{})
	received.Gone, received.Done = gone, done
	up.record(received)

	p := &player{reply: reply, closing: up.closing, gone: ctx.Done()}
	tell := sync.OnceFunc(func() {
		select {
		case <-up.closing:
		default:
			close(gone)
		}
	})
	stop := context.AfterFunc(ctx, tell)
	p.settle = sync.OnceFunc(func() {
		if stop(); ctx.Err() != nil || p.lost {
			tell()
		}
	})
	over := sync.OnceFunc(func() {
		p.settle()
		close(done)
	})
	defer over()

	switch {
	case received.Err != nil && !body.long: // half a request gets no answer
		p.lost = true
		panic(http.ErrAbortHandler)
	case r.ProtoMajor == 1 && (reply.Raw || reply.Unread):
		up.playOnConn(w, p, leave, over)
	default:
		p.out = &served{w: w, flush: http.NewResponseController(w).Flush, conn: connOf(r.Context())}
		p.play()
	}
}

// playOnConn plays a reply directly on the connection, bypassing the server.
func (up *Upstream) playOnConn(w http.ResponseWriter, p *player, leave, over func()) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		p.lost = true
		return
	}
	var watch sync.WaitGroup
	defer watch.Wait()
	defer conn.Close() //nolint:errcheck // there is nothing left to lose
	watch.Go(func() {
		select { // a write to a client that does not read ends with the upstream
		case <-up.closing:
			_ = conn.Close()
		case <-p.gone:
		}
	})
	defer leave()
	defer over()
	if !p.reply.Unread {
		watch.Go(func() {
			_, _ = io.Copy(io.Discard, conn) // until the client leaves
			leave()
		})
	}
	p.out = &hijacked{conn: conn}
	if p.play(); p.reply.Unread && p.whole {
		if half, ok := conn.(interface{ CloseWrite() error }); ok && p.reply.Raw {
			_ = half.CloseWrite() // closing it would reset it, and the answer might be lost
		}
		over()
		<-up.closing
	}
}

// problem says why a reply cannot be played; "" if it can.
func (r Reply) problem(req *http.Request) string {
	switch {
	case r.misuse != "":
		return r.misuse
	case r.Raw && req.ProtoMajor != 1:
		return "sluicetest: a Raw reply needs HTTP/1, and this is " + req.Proto
	case !r.Raw && (r.status() < 200 || r.status() > 999):
		return fmt.Sprintf("sluicetest: %d cannot be the status of an answer", r.Status)
	case !r.Raw && slices.ContainsFunc(r.Informational, notInformational):
		return fmt.Sprintf("sluicetest: not all informational: %d", r.Informational)
	}
	return ""
}

func notInformational(status int) bool {
	return status < 100 || status > 199 || status == http.StatusSwitchingProtocols
}

// errStopped ends an answer whose client left, or whose upstream is being closed.
var errStopped = errors.New("nobody waits for this answer")

// player sends one reply.
type player struct {
	reply   Reply
	out     answerer
	gone    <-chan struct{}
	closing <-chan struct{}

	pauses []Pause // those to come, with resolved places
	lost   bool    // the client left
	whole  bool    // the answer was not cut
	settle func()  // records whether the client left; later failures are our own
}

// play sends the reply. It panics with http.ErrAbortHandler where that is how
// a connection is broken.
func (p *player) play() {
	err := p.send()
	switch {
	case err == nil:
	case errors.Is(err, http.ErrContentLength), errors.Is(err, http.ErrBodyNotAllowed):
		// The server protects the client from a body that the header does not allow.
	default:
		p.lost = !errors.Is(err, errStopped)
		p.cut(false)
	}
}

func (p *player) send() error {
	r := p.reply
	p.pauses = slices.Clone(r.Pauses)
	for i := range p.pauses {
		p.pauses[i].At = r.offset(p.pauses[i].At)
	}
	slices.SortStableFunc(p.pauses, func(a, b Pause) int { return cmp.Compare(a.At, b.At) })

	if !r.Raw {
		for _, status := range r.Informational {
			if err := p.out.inform(status); err != nil {
				return err
			}
		}
	}
	if err := p.pauseAt(-1); err != nil {
		return err
	}
	if r.Cut != nil && r.offset(r.Cut.At) < 0 {
		p.cut(r.Cut.How == CutReset)
		return nil
	}
	if !r.Raw {
		if err := p.out.begin(r.status(), r.header()); err != nil {
			return err
		}
	}
	cut, err := p.body()
	switch {
	case err != nil:
		return err
	case cut && r.Cut.How != CutClean:
		p.cut(r.Cut.How == CutReset)
		return nil
	}
	p.whole = true
	if r.Raw {
		return nil
	}
	return p.out.end(r.Trailer)
}

// cut breaks the connection.
func (p *player) cut(reset bool) {
	p.settle()
	p.out.cut(reset)
}

// body sends the body as far as the cut, and says whether that was reached.
func (p *player) body() (cut bool, err error) {
	at, limit := 0, -1
	if p.reply.Cut != nil {
		limit = p.reply.offset(p.reply.Cut.At)
	}
	if err := p.pauseAt(0); err != nil {
		return false, err
	}
	for piece := range p.reply.pieces() {
		if at > 0 && at != limit {
			if err := p.wait(p.reply.Each); err != nil {
				return false, err
			}
		}
		for len(piece) > 0 && at != limit {
			n := len(piece)
			if limit >= 0 {
				n = min(n, limit-at)
			}
			if len(p.pauses) > 0 {
				n = min(n, p.pauses[0].At-at)
			}
			if err := p.out.write(piece[:n]); err != nil {
				return false, err
			}
			piece, at = piece[n:], at+n
			if err := p.pauseAt(at); err != nil {
				return false, err
			}
		}
		if at == limit {
			break
		}
	}
	return at == limit, nil
}

// pauseAt makes the pauses that are due at an offset.
func (p *player) pauseAt(at int) error {
	for len(p.pauses) > 0 && p.pauses[0].At <= at {
		if err := p.wait(p.pauses[0]); err != nil {
			return err
		}
		p.pauses = p.pauses[1:]
	}
	return nil
}

func (p *player) wait(pause Pause) error {
	if pause.For > 0 {
		timer := time.NewTimer(pause.For)
		defer timer.Stop()
		if err := receiveFrom(p, timer.C); err != nil {
			return err
		}
	}
	if pause.Until == nil {
		return nil
	}
	return receiveFrom(p, pause.Until)
}

// receiveFrom waits for a channel as long as somebody waits for the answer.
func receiveFrom[T any](p *player, c <-chan T) error {
	select {
	case <-c:
		return nil
	case <-p.gone:
	case <-p.closing:
	}
	return errStopped
}
