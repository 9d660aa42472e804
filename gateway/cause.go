package gateway

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
)

// causeForLog is the cause, for the log, of an error that clients are told in other
// words. It never repeats bytes from the upstream: net/http quotes status lines and
// headers, and an upstream could use them to write into the log, or to have other
// people's secrets written there.
func causeForLog(err error, told string) string {
	if broken, ok := errors.AsType[*brokenError](err); ok {
		return networkCause(broken.err)
	}
	if unreachable, ok := errors.AsType[*unreachableError](err); ok {
		return networkCause(unreachable.err)
	}
	return told
}

// networkPhrases are what net/http and related packages say before they quote.
var networkPhrases = []string{
	"malformed HTTP response", "malformed HTTP status code", "malformed HTTP version", "malformed MIME header", "malformed chunked encoding",
	"invalid header", "invalid Trailer", "bad Content-Length", "invalid Content-Length", "unsupported transfer encoding", "too many transfer encodings",
	"invalid byte in chunk length", "chunk length too large", "chunked encoding", "too many 1xx informational responses", "unexpected 101 response", "response headers exceeded", "header list too large",
	"server gave HTTP response to HTTPS client", "server closed idle connection", "connection broken", "HTTP/2 request", "client connection lost",
	"client connection force closed", "GOAWAY", "stream error", "PROTOCOL_ERROR", "INTERNAL_ERROR", "REFUSED_STREAM", "FLOW_CONTROL_ERROR", "http2:",
	"gzip:", "zlib:", "flate:", "brotli:", "zstd:", "magic number mismatch", "corrupt input", "proxyconnect", "Proxy Authentication Required", "use of closed network connection",
}

// networkCause describes a network error between the gateway and an upstream.
func networkCause(err error) string {
	op := ""
	if at, ok := errors.AsType[*net.OpError](err); ok {
		op = inWords(at)
	}
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		return op + errno.Error()
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok && (dns.IsNotFound || dns.IsTimeout || dns.IsTemporary) {
		return fmt.Sprintf("%sthe name %s cannot be looked up (not found: %t, timeout: %t)", op, dns.Name, dns.IsNotFound, dns.IsTimeout)
	}
	if cause := certificateCause(err); cause != "" {
		return op + cause
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded) || isTimeout(err):
		return op + "timeout"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return op + "unexpected end"
	case errors.Is(err, io.EOF):
		return op + "end before the answer"
	}
	text := err.Error()
	for _, phrase := range networkPhrases {
		if strings.Contains(text, phrase) {
			return op + phrase
		}
	}
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(err) {
		err = next
	}
	return fmt.Sprintf("%san error of the type %T, whose text may repeat what the upstream sent", op, err)
}

// inWords says what an operation on a network was doing, and with whom if the gateway
// chose that address itself.
func inWords(at *net.OpError) string {
	switch at.Op {
	case "dial":
		if at.Addr != nil {
			return "no connection to " + at.Addr.String() + ": "
		}
		return "no connection: "
	case "read":
		return "while reading: "
	case "write":
		return "while writing: "
	}
	return at.Op + ": "
}

func certificateCause(err error) string {
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return "the certificate is signed by an unknown authority"
	}
	if _, ok := errors.AsType[x509.HostnameError](err); ok {
		return "the certificate is for another name"
	}
	if invalid, ok := errors.AsType[x509.CertificateInvalidError](err); ok {
		if invalid.Reason == x509.Expired {
			return "the certificate has expired or is not valid yet"
		}
		return "the certificate is not valid for this"
	}
	if alert, ok := errors.AsType[tls.AlertError](err); ok {
		return alert.Error()
	}
	if record, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		return "tls: " + record.Msg
	}
	return ""
}
