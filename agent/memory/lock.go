package memory

import (
	"context"
	"sync"
)

// locks are named locks that exist as long as somebody holds or wants them. The
// zero value is ready to use.
type locks struct {
	mu    sync.Mutex
	named map[string]*namedLock
}

type namedLock struct {
	// held has capacity one: whoever fills it holds the lock.
	held chan struct{}
	// users hold the lock or wait for it.
	users int
}

func (l *locks) lock(ctx context.Context, name string) (unlock func(), err error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	n := l.enter(name)
	select {
	case n.held <- struct{}{}:
		return sync.OnceFunc(func() {
			<-n.held
			l.leave(name, n)
		}), nil
	case <-ctx.Done():
		l.leave(name, n)
		return nil, context.Cause(ctx)
	}
}

func (l *locks) enter(name string) *namedLock {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.named[name]
	if n == nil {
		n = &namedLock{held: make(chan struct{}, 1)}
		if l.named == nil {
			l.named = make(map[string]*namedLock)
		}
		l.named[name] = n
	}
	n.users++
	return n
}

func (l *locks) leave(name string, n *namedLock) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n.users--
	if n.users == 0 {
		delete(l.named, name)
	}
}
