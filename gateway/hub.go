package gateway

import (
	"encoding/json"
	"sync"
	"sync/atomic"
)

// hub hands events on to whoever listens at the moment. A listener that is slow
// loses events and is told how many; a stream never waits for one. The zero value
// is ready.
type hub struct {
	count atomic.Int32 // of listeners, so that nobody listening costs nothing
	lost  atomic.Int64

	mu        sync.Mutex
	closed    bool
	listeners map[*listener]struct{}
}

// listenerRoom is how many events a listener may be behind, and mostListeners
// how many there may be.
const (
	listenerRoom  = 256
	mostListeners = 64
)

// listener gets the events as JSON.
type listener struct {
	events chan liveEvent
	lost   atomic.Int64
}

type liveEvent struct {
	name string
	data []byte
}

// listen adds a listener, nil if there are too many or the hub is closed.
func (h *hub) listen() *listener {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || len(h.listeners) >= mostListeners {
		return nil
	}
	if h.listeners == nil {
		h.listeners = make(map[*listener]struct{})
	}
	l := &listener{events: make(chan liveEvent, listenerRoom)}
	h.listeners[l] = struct{}{}
	h.count.Add(1)
	return l
}

// leave removes a listener.
func (h *hub) leave(l *listener) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, listens := h.listeners[l]; listens {
		delete(h.listeners, l)
		h.count.Add(-1)
	}
}

// close ends all listening.
func (h *hub) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for l := range h.listeners {
		close(l.events)
		delete(h.listeners, l)
		h.count.Add(-1)
	}
}

// publish hands an event to all who listen.
func (h *hub) publish(e Event) {
	if h.count.Load() == 0 {
		return
	}
	data, err := json.Marshal(e)
	if err != nil {
		return // every value has a form in JSON; see the tests
	}
	live := liveEvent{name: e.name(), data: data}
	h.mu.Lock()
	defer h.mu.Unlock()
	for l := range h.listeners {
		select {
		case l.events <- live:
		default:
			l.lost.Add(1)
			h.lost.Add(1)
		}
	}
}

// name is what kind of event it is.
func (e *Event) name() string {
	switch {
	case e.Record != nil:
		return "verdict"
	case e.End != nil:
		return "end"
	default:
		return "begin"
	}
}

// tell tells everybody who wants to know.
func (g *Gateway) tell(e Event) {
	g.metrics.count(e)
	if g.config.Observe != nil {
		g.config.Observe(e)
	}
	g.hub.publish(e)
}
