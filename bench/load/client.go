package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// answerTime is how long one answer may take; what takes longer hangs.
const answerTime = time.Minute

// client asks for scripts and checks each byte of the answers. It is for one
// goroutine.
type client struct {
	http *http.Client
	buf  []byte
	// transits are the transit times of events that are not held, for scripts
	// with a pace.
	transits []time.Duration
}

// newTransport keeps connections open, as programs that talk to a model do.
func newTransport() *http.Transport {
	return &http.Transport{MaxIdleConnsPerHost: 1 << 14, DisableCompression: true}
}

func newClient(t *http.Transport) *client {
	return &client{http: &http.Client{Transport: t}, buf: make([]byte, 32<<10)}
}

// timing is when parts of an answer arrived, from the start of the request.
type timing struct{ first, whole time.Duration }

// fetch asks for a script and reads the answer to its end.
func (c *client) fetch(ctx context.Context, base string, s *script) (timing, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	var t timing
	begin := time.Now()
	res, err := c.open(ctx, base, s)
	if err != nil {
		return t, err
	}
	defer func() { _ = res.Body.Close() }()
	v := verifier{script: s}
	for {
		n, err := res.Body.Read(c.buf)
		if n > 0 {
			now := time.Now()
			if t.first == 0 {
				t.first = now.Sub(begin)
			}
			if err := v.take(c.buf[:n], now, &c.transits); err != nil {
				return t, err
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return t, fmt.Errorf("after %d bytes of %d: %w", v.at, len(s.body), err)
		}
	}
	t.whole = time.Since(begin)
	if v.at != len(s.body) {
		return t, fmt.Errorf("the answer ends after %d bytes of %d", v.at, len(s.body))
	}
	return t, nil
}

// open sends the request for a script and waits for the start of the answer.
func (c *client) open(ctx context.Context, base string, s *script) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, base+s.path, bytes.NewReader(s.request))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if s.path == anthropicPath {
		req.Header.Set("X-Api-Key", "sk-ant-load")
		req.Header.Set("Anthropic-Version", "2023-06-01")
	} else {
		req.Header.Set("Authorization", "Bearer sk-load")
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(res.Body, 1<<10))
		_ = res.Body.Close()
		return nil, fmt.Errorf("status %d: %s", res.StatusCode, bytes.TrimSpace(text))
	}
	return res, nil
}

// verifier compares an answer with its script as it arrives. Where the script
// has the time of sending, the answer must have a time that is not before the
// previous one.
type verifier struct {
	script *script
	// at is how much of the script has arrived, event the first incomplete
	// event.
	at, event int
	stamp     [stampSize]byte
	last      int64
}

// take checks the next bytes.
func (v *verifier) take(p []byte, now time.Time, transits *[]time.Duration) error {
	s := v.script
	for len(p) > 0 {
		if v.event == len(s.events) {
			return fmt.Errorf("more came than was sent: %.80q", p)
		}
		e := s.events[v.event]
		n := min(len(p), e.to-v.at)
		if !v.same(p[:n], e) {
			return fmt.Errorf("event %d is not as it was sent: %.200q came at byte %d for %.200q", v.event, p[:n], v.at, s.body[v.at:e.to])
		}
		v.at += n
		p = p[n:]
		if v.at < e.to {
			break
		}
		if err := v.timed(e, now, transits); err != nil {
			return err
		}
		v.event++
		if s.endless && v.event == len(s.events) {
			v.event, v.at = 1, s.events[1].from
		}
	}
	return nil
}

// same compares a part of an event and keeps what it has of the time.
func (v *verifier) same(p []byte, e event) bool {
	if v.script.pace == 0 || e.stamp < 0 {
		return bytes.Equal(p, v.script.body[v.at:v.at+len(p)])
	}
	for i, c := range p {
		at := v.at + i
		if at >= e.stamp && at < e.stamp+stampSize {
			v.stamp[at-e.stamp] = c
		} else if c != v.script.body[at] {
			return false
		}
	}
	return true
}

// timed reads the time in a whole event.
func (v *verifier) timed(e event, now time.Time, transits *[]time.Duration) error {
	if v.script.pace == 0 || e.stamp < 0 {
		return nil
	}
	sent, err := strconv.ParseInt(string(v.stamp[:]), 10, 64)
	if err != nil || sent < v.last {
		return fmt.Errorf("event %d has no time, or that of another: %q", v.event, v.stamp)
	}
	v.last = sent
	if e.flows && transits != nil {
		*transits = append(*transits, time.Duration(now.UnixNano()-sent))
	}
	return nil
}
