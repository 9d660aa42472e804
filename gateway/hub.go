package gateway

import (
	"encoding/json"
	"sync"
	"sync/atomic"
)

// hub broadcasts events to the current listeners. A slow listener loses events
// and is told how many; a stream never waits for one. The zero value is ready.
type hub struct {
	count atomic.Int32 // of listeners, so that events cost nothing without listeners
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

// close removes all listeners.
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

// publish sends an event to all listeners.
func (h *hub) publish(e Event) {
	if h.count.Load() == 0 {
		return
	}
	data, err := json.Marshal(e)
	if err != nil {
		return // cannot happen: every value can be marshalled; see the tests
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

// name is the type of the event.
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

// tell reports an event to all observers.
func (g *Gateway) tell(e Event) {
	g.metrics.count(e)
	if g.config.Observe != nil {
		g.config.Observe(e)
	}
	g.hub.publish(e)
}
