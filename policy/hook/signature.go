package hook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"
)

// SignatureHeader is the header that authenticates the sender.
const SignatureHeader = "Sluice-Signature"

// Why a request must not be trusted.
var (
	// ErrSignature: the signature is missing, malformed, or was made with
	// another secret or for another body.
	ErrSignature = errors.New("hook: the signature does not match this request")
	// ErrSignatureTime: the signature is good but too old, or from the future.
	ErrSignatureTime = errors.New("hook: the signature is too old or from the future: check the clocks, or it is a replay")
)

// maxSignature is the longest header that is read.
const maxSignature = 1 << 10

// DefaultTolerance is the default maximum age of a signature.
const DefaultTolerance = 5 * time.Minute

// Sign returns the value of the header for a body that is sent at the given
// time.
func Sign(secret string, body []byte, at time.Time) string {
	t := strconv.FormatInt(at.Unix(), 10)
	return "t=" + t + ",v1=" + hex.EncodeToString(sum(secret, t, body))
}

// Verify reports whether a request with this header and this body was signed
// with the secret no longer ago than tolerance, or DefaultTolerance if that is
// not positive. The body must be the bytes that arrived. An empty secret
// verifies nothing.
//
// The error is ErrSignature or ErrSignatureTime. Signatures are compared in
// constant time. A header may have several v1, one of which must match.
func Verify(secret, header string, body []byte, now time.Time, tolerance time.Duration) error {
	if secret == "" || len(header) > maxSignature {
		return ErrSignature
	}
	var t string
	var signatures [][]byte
	for part := range strings.SplitSeq(header, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch name {
		case "t":
			if t != "" {
				return ErrSignature
			}
			t = value
		case "v1":
			signature, err := hex.DecodeString(value)
			if err != nil {
				return ErrSignature
			}
			signatures = append(signatures, signature)
		}
	}
	seconds, err := strconv.ParseInt(t, 10, 64)
	if err != nil {
		return ErrSignature
	}
	want, good := sum(secret, t, body), false
	for _, signature := range signatures {
		good = hmac.Equal(signature, want) || good
	}
	if !good {
		return ErrSignature
	}
	if tolerance <= 0 {
		tolerance = DefaultTolerance
	}
	// Compared as times, not as a difference, which could overflow.
	signed := time.Unix(seconds, 0)
	if signed.Before(now.Add(-tolerance)) || signed.After(now.Add(tolerance)) {
		return ErrSignatureTime
	}
	return nil
}

func sum(secret, t string, body []byte) []byte {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(t + "."))
	mac.Write(body)
	return mac.Sum(nil)
}
