package e2e

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"
)

// tunnel is a proxy on the loopback interface for clients that talk to their provider's own address: it answers
// CONNECT for the hosts of the test with the test's upstream, under certificates of an authority of its own, and
// refuses all others. So the tests see what a client sends when nobody is in between, and nothing leaves the
// machine.
type tunnel struct {
	URL string
	// Authority is the file with the certificate that clients must trust.
	Authority string

	upstream *upstream
	hosts    []string
	ca       *x509.Certificate
	key      *ecdsa.PrivateKey

	mu       sync.Mutex
	refused  []string
	inflight sync.WaitGroup
}

func newTunnel(t testing.TB, up *upstream, hosts ...string) *tunnel {
	p := &tunnel{upstream: up, hosts: hosts, Authority: filepath.Join(t.TempDir(), "ca.pem")}
	p.authority(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p.URL = "http://" + listener.Addr().String()
	ctx, cancel := context.WithCancel(context.Background())
	p.inflight.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			p.inflight.Go(func() { p.serve(ctx, conn) })
		}
	})
	t.Cleanup(func() {
		cancel()
		_ = listener.Close()
		p.inflight.Wait()
	})
	return p
}

// offline is the environment for clients that must not reach anything beyond this machine: a proxy that refuses
// every host. Clients ask for updates, flags and plugins, and do without.
func offline(t testing.TB) []string {
	return []string{"HTTPS_PROXY=" + newTunnel(t, nil).URL}
}

// Refused returns the hosts that were asked for and not served, sorted.
func (p *tunnel) Refused() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	refused := slices.Clone(p.refused)
	slices.Sort(refused)
	return slices.Compact(refused)
}

// authority makes the certificate authority.
func (p *tunnel) authority(t testing.TB) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "sluice end-to-end tests"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	if p.ca, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	p.key = key
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	if err := os.WriteFile(p.Authority, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// certificate makes one for a host.
func (p *tunnel) certificate(host string) (*tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: host}, DNSNames: []string{host},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, p.ca, &key.PublicKey, p.key)
	if err != nil {
		return nil, err
	}
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}

// serve handles one connection to the proxy until the client or the test ends it.
func (p *tunnel) serve(ctx context.Context, conn net.Conn) {
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	defer func() { _ = conn.Close() }()
	request, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return
	}
	host, _, err := net.SplitHostPort(request.Host)
	if err != nil || request.Method != http.MethodConnect || !slices.Contains(p.hosts, host) {
		p.mu.Lock()
		p.refused = append(p.refused, request.Host)
		p.mu.Unlock()
		_, _ = io.WriteString(conn, "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
		return
	}
	certificate, err := p.certificate(host)
	if err != nil {
		return
	}
	if _, err := fmt.Fprint(conn, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	secure := tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{*certificate}, NextProtos: []string{"http/1.1"}, MinVersion: tls.VersionTLS12})
	one := &oneConn{conn: secure, done: make(chan struct{})}
	server := &http.Server{Handler: p.upstream, ReadHeaderTimeout: time.Minute, ConnState: func(_ net.Conn, state http.ConnState) {
		if state == http.StateClosed || state == http.StateHijacked {
			one.close()
		}
	}}
	_ = server.Serve(one)
}

// oneConn is a listener for a connection that exists already.
type oneConn struct {
	conn  net.Conn
	taken bool
	once  sync.Once
	done  chan struct{}
}

func (l *oneConn) close() { l.once.Do(func() { close(l.done) }) }

func (l *oneConn) Accept() (net.Conn, error) {
	if !l.taken {
		l.taken = true
		return l.conn, nil
	}
	<-l.done
	return nil, net.ErrClosed
}

func (l *oneConn) Close() error   { l.close(); return nil }
func (l *oneConn) Addr() net.Addr { return l.conn.LocalAddr() }
