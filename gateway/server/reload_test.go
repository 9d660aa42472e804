package server_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sluice-project/sluice/gateway/server"
	"github.com/sluice-project/sluice/gateway/settings"
	"github.com/sluice-project/sluice/policy/file"
)

// quick is a look at the files that tests need not wait for.
const quick = time.Millisecond

const broken = "policies:\n  - {name: no-shell, wen: 'true', then: block}\n"

func TestNewPoliciesAreInForceWhenTheirFileChanges(t *testing.T) {
	t.Parallel()
	name := write(t, filepath.Join(t.TempDir(), "policies.yaml"), blocks("first"))
	p := start(t, configure(t, always(t, calls("ls")), "policies: [preset:none, "+name+"]"), server.Options{Poll: quick})
	says := func(want string) {
		t.Helper()
		if status, answer := p.ask(); status != http.StatusOK || !strings.Contains(answer, want) || strings.Contains(answer, "tool_use\"") {
			t.Errorf("status %d, the answer does not say %q or has the call:\n%s", status, want, answer)
		}
	}
	says("first")
	replace(t, name, blocks("second"))
	seen := p.log.wait(t, 0, "new policies are in force")
	says("second")

	write(t, name, broken) // in place
	seen = p.log.wait(t, seen, "the policies stay as they were", name+":2:", "did you mean when")
	says("second")

	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	seen = p.log.wait(t, seen, "the policies stay as they were", "cannot be read")
	says("second")

	refused := func() (status string) {
		t.Helper()
		_, status = p.get("/admin/status", "Authorization", "Bearer "+p.AdminToken().Reveal())
		return status
	}
	if got := refused(); !strings.Contains(got, `"policies_refused":{"message":"`) || !strings.Contains(got, `"since":"`) {
		t.Errorf("the status does not tell of refused policies: %s", got)
	}
	replace(t, name, blocks("second")) // as they are in force
	seen = p.log.wait(t, seen, "the policies are good again")
	if got := refused(); strings.Contains(got, "policies_refused") {
		t.Errorf("the status still tells of refused policies: %s", got)
	}
	replace(t, name, blocks("third"))
	p.log.wait(t, seen, "new policies are in force")
	says("third")
	if strings.Count(p.log.String(), "good again") != 1 {
		t.Errorf("policies that were not refused are good again:\n%s", p.log)
	}
}

func TestPoliciesAreReloadedOnRequest(t *testing.T) {
	t.Parallel()
	name := write(t, filepath.Join(t.TempDir(), "policies.yaml"), blocks("first"))
	p := start(t, configure(t, always(t, calls("ls")), "policies: [preset:none, "+name+"]"), server.Options{Poll: -1})
	admin := []string{"Authorization", "Bearer " + p.AdminToken().Reveal()}
	replace(t, name, blocks("second"))
	if _, answer := p.ask(); !strings.Contains(answer, "first") {
		t.Errorf("a change counts although nobody looks:\n%s", answer)
	}
	if status, body := p.send(http.MethodPost, "/admin/reload", admin...); status != http.StatusOK {
		t.Errorf("reload: status %d %s", status, body)
	}
	if _, answer := p.ask(); !strings.Contains(answer, "second") {
		t.Errorf("the new policies are not in force:\n%s", answer)
	}
	replace(t, name, broken)
	if status, body := p.send(http.MethodPost, "/admin/reload", admin...); status != http.StatusUnprocessableEntity || !strings.Contains(body, name+":2:") {
		t.Errorf("reload of a broken file: status %d %s", status, body)
	}
	if err := p.Reload(); err == nil {
		t.Error("a broken file is reloaded")
	}
	if _, answer := p.ask(); !strings.Contains(answer, "second") {
		t.Errorf("the last good policies are not in force:\n%s", answer)
	}
}

// Whatever is done to the file, every call is blocked by one of the good sets.
func TestNothingPassesWhilePoliciesAreReloaded(t *testing.T) {
	t.Parallel()
	name := write(t, filepath.Join(t.TempDir(), "policies.yaml"), blocks("good"))
	p := start(t, configure(t, always(t, calls("ls")), "policies: [preset:none, "+name+"]"), server.Options{Poll: quick})
	over := make(chan struct{})
	var clients sync.WaitGroup
	for range 4 {
		clients.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
				}
				if status, answer := p.ask(); status != http.StatusOK || !strings.Contains(answer, "good") || strings.Contains(answer, "input_json_delta") {
					t.Errorf("status %d, the call passed:\n%s", status, answer)
					return
				}
			}
		})
	}
	for i := range 50 {
		switch i % 5 {
		case 0:
			replace(t, name, broken)
		case 1:
			write(t, name, "")
		case 2:
			replace(t, name, blocks("good, number "+string(rune('a'+i/5))))
		case 3:
			write(t, name, blocks("good")[:40])
		case 4:
			_ = os.Remove(name)
		}
		_ = p.Reload()
	}
	close(over)
	clients.Wait()
}

func TestPoliciesThatCannotBeUsedAreRefused(t *testing.T) {
	t.Parallel()
	name := write(t, filepath.Join(t.TempDir(), "policies.yaml"), broken)
	_, err := server.New(configure(t, nil, "policies: [preset:none, "+name+"]"), server.Options{})
	if _, ok := errors.AsType[file.Problems](err); !ok || !strings.Contains(err.Error(), name+":2:") {
		t.Errorf("got %v", err)
	}
}

// identity makes a certificate of its own for 127.0.0.1, as PEM.
func identity(t *testing.T, serial int64) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "test"}, DNSNames: []string{"localhost"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8}))
}

func TestANewCertificateIsUsedAndABadOneIsNot(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cert, key := identity(t, 1)
	certFile, keyFile := write(t, filepath.Join(dir, "cert.pem"), cert), write(t, filepath.Join(dir, "key.pem"), key)
	p := start(t, configure(t, always(t, calls("ls")), "tls: {cert: "+certFile+", key: "+keyFile+"}"), server.Options{Poll: quick})
	p.client.Transport = &http.Transport{
		ForceAttemptHTTP2: true, DisableKeepAlives: true,
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, // the serial number is looked at
	}
	serial := func() (number int64, proto string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.URL()+"/healthz", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		res, err := p.client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		return res.TLS.PeerCertificates[0].SerialNumber.Int64(), res.Proto
	}
	if number, proto := serial(); number != 1 || proto != "HTTP/2.0" {
		t.Errorf("certificate %d over %s", number, proto)
	}
	if status, answer := p.ask(); status != http.StatusOK || !strings.Contains(answer, "message_stop") {
		t.Errorf("an exchange over TLS: status %d\n%s", status, answer)
	}

	replace(t, certFile, "no certificate")
	seen := p.log.wait(t, 0, "the certificate was not reloaded", certFile)
	if number, _ := serial(); number != 1 {
		t.Errorf("certificate %d after a bad one", number)
	}

	cert, key = identity(t, 2)
	replace(t, keyFile, key)
	replace(t, certFile, cert)
	p.log.wait(t, seen, "the certificate was reloaded")
	if number, _ := serial(); number != 2 {
		t.Errorf("certificate %d after a new one", number)
	}
}

func TestACertificateThatCannotBeUsedIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cert, _ := identity(t, 1)
	_, key := identity(t, 2)
	s := configure(t, nil)
	s.TLS = settings.TLS{Cert: write(t, filepath.Join(dir, "cert.pem"), cert), Key: write(t, filepath.Join(dir, "key.pem"), key)}
	if _, err := server.New(s, server.Options{}); err == nil || !strings.Contains(err.Error(), "cannot be used") || !strings.Contains(err.Error(), s.TLS.Key) {
		t.Errorf("got %v", err)
	}
}

func TestAReloadTellsWhichSettingsNeedARestart(t *testing.T) {
	t.Parallel()
	s := configure(t, always(t, calls("ls")), "keepalive: 10s")
	var next *settings.Settings
	var failure error
	p := start(t, s, server.Options{Poll: -1, Settings: func() (*settings.Settings, error) { return next, failure }})
	reload := func() string {
		t.Helper()
		before := len(p.log.String())
		if err := p.Reload(); err != nil {
			t.Fatal(err)
		}
		return p.log.String()[before:]
	}
	next = s
	if said := reload(); strings.Contains(said, "restart") {
		t.Errorf("nothing has changed, and it says\n%s", said)
	}
	changed := *s
	changed.Keepalive, changed.Limits.Body = 20*time.Second, 1<<20
	next = &changed
	if said := reload(); !strings.Contains(said, "need a restart") || !strings.Contains(said, "[limits.body keepalive]") {
		t.Errorf("it says\n%s", said)
	}
	failure = settings.Problems{{Origin: "config.yaml", Line: 3, Column: 1, Message: "listen is not an address"}}
	if said := reload(); !strings.Contains(said, "config.yaml:3:1") || !strings.Contains(said, "would not start again") {
		t.Errorf("it says\n%s", said)
	}
}

func TestCheckFindsWhatNewWouldRefuse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cert, _ := identity(t, 1)
	_, key := identity(t, 2)
	if _, errs := server.Check(configure(t, nil)); len(errs) != 0 {
		t.Errorf("good settings are refused: %v", errs)
	}
	s := configure(t, nil, "policies: [preset:none, "+write(t, filepath.Join(dir, "policies.yaml"), broken)+"]")
	s.TLS = settings.TLS{Cert: write(t, filepath.Join(dir, "cert.pem"), cert), Key: write(t, filepath.Join(dir, "key.pem"), key)}
	_, errs := server.Check(s)
	if len(errs) != 2 || !strings.Contains(errs[0].Error(), "cannot be used") || !strings.Contains(errs[1].Error(), "policies.yaml:2:") {
		t.Errorf("got %v", errs)
	}
	s = configure(t, nil, "policies: [preset:none, "+write(t, filepath.Join(dir, "hook.yaml"),
		"policies:\n  - {name: p, hook: {url: 'https://example.com/', secret_env: SLUICE_TEST_NOT_SET}, then: block, on_error: allow}\n")+"]")
	if _, errs := server.Check(s); len(errs) != 1 || !strings.Contains(errs[0].Error(), "SLUICE_TEST_NOT_SET, which has the secret, is not set") {
		t.Errorf("a hook without its secret: %v", errs)
	}
	s = configure(t, nil)
	s.Forward = []string{"/v1/messages"}
	if _, errs := server.Check(s); len(errs) != 1 {
		t.Errorf("got %v", errs)
	}
	s = configure(t, nil, "policies: [preset:none, "+write(t, filepath.Join(dir, "feedback.yaml"),
		"policies:\n  - {name: no-shell, when: 'call.kind == \"shell\"', then: {block: feedback}, reason: no}\n")+"]")
	if loaded, errs := server.Check(s); loaded == nil || len(loaded.Warnings) != 1 || len(errs) != 0 {
		t.Errorf("got %v and %v", loaded, errs)
	}
}
