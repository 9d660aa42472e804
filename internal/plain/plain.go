package plain

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// Error returns the text of an error with the system or network error in it put in
// plain words. Text around it stays unchanged.
func Error(err error) string {
	if err == nil {
		return ""
	}
	text := err.Error()
	for _, say := range []func(error) (raw, words string){request, network, file, program} {
		if raw, words := say(err); raw != "" {
			return strings.Replace(text, raw, words, 1)
		}
	}
	return text
}

// request describes a failed HTTP request: with its address, without its method.
func request(err error) (raw, words string) {
	failed, ok := errors.AsType[*url.Error](err)
	if !ok {
		return "", ""
	}
	host := failed.URL
	if u, parseErr := url.Parse(failed.URL); parseErr == nil && u.Host != "" {
		host = u.Host
	}
	return failed.Error(), unreachable(host, failed.Err)
}

// network describes a failed connection.
func network(err error) (raw, words string) {
	failed, ok := errors.AsType[*net.OpError](err)
	if !ok {
		return "", ""
	}
	host := "the other side"
	if failed.Addr != nil {
		host = failed.Addr.String()
	}
	return failed.Error(), unreachable(host, failed)
}

// unreachable says why a host did not answer.
func unreachable(host string, err error) string {
	var dns *net.DNSError
	var unknown x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	var record tls.RecordHeaderError
	var timeout interface{ Timeout() bool }
	switch {
	case errors.As(err, &dns) && !dns.IsTimeout:
		return "the host " + dns.Name + " is not known"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "nothing listens at " + host
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return host + " closed the connection"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return host + " closed the connection without an answer"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return host + " cannot be reached from this network"
	case errors.As(err, &unknown), errors.As(err, &invalid):
		return "the certificate of " + host + " is not trusted by this machine"
	case errors.As(err, &name):
		return "the certificate of " + host + " is for another name"
	case errors.As(err, &record), strings.Contains(err.Error(), "HTTP response to HTTPS client"):
		return host + " speaks http, not https"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return host + " does not answer in time"
	case strings.Contains(err.Error(), "malformed HTTP response"):
		return host + " does not speak http, or only https"
	}
	if failed, ok := errors.AsType[*net.OpError](err); ok {
		err = failed.Err
	}
	return host + " cannot be reached: " + err.Error()
}

// file describes a file that cannot be used, or a program that cannot be started.
func file(err error) (raw, words string) {
	failed, ok := errors.AsType[*fs.PathError](err)
	if !ok {
		return "", ""
	}
	starts := strings.HasPrefix(failed.Op, "fork") || failed.Op == "exec"
	switch {
	case errors.Is(failed.Err, fs.ErrNotExist):
		return failed.Error(), failed.Path + " does not exist"
	case errors.Is(failed.Err, fs.ErrPermission) && starts:
		return failed.Error(), failed.Path + " is not executable, or you may not start it"
	case errors.Is(failed.Err, fs.ErrPermission):
		return failed.Error(), "you have no permission for " + failed.Path
	case errors.Is(failed.Err, syscall.EISDIR):
		return failed.Error(), failed.Path + " is a directory: name a file"
	case errors.Is(failed.Err, syscall.ENOTDIR):
		return failed.Error(), "a part of the path " + failed.Path + " is a file and not a directory"
	case errors.Is(failed.Err, syscall.ENOSPC):
		return failed.Error(), "there is no space left for " + failed.Path
	case errors.Is(failed.Err, syscall.EROFS):
		return failed.Error(), failed.Path + " is on a file system that cannot be written"
	case errors.Is(failed.Err, syscall.ENOEXEC):
		return failed.Error(), failed.Path + " is not a program for this system"
	case starts:
		return failed.Error(), failed.Path + " cannot be started: " + failed.Err.Error()
	}
	return failed.Error(), failed.Path + ": " + failed.Err.Error()
}

// program describes a program that was not found.
func program(err error) (raw, words string) {
	if failed, ok := errors.AsType[*exec.Error](err); ok {
		return failed.Error(), failed.Name + " is not in PATH"
	}
	if errors.Is(err, exec.ErrNotFound) {
		return exec.ErrNotFound.Error(), "there is no such program"
	}
	return "", ""
}
