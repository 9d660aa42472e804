package server

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/sluice-project/sluice/internal/ownfile"
	"github.com/sluice-project/sluice/policy/secret"
)

// Placeholders of secrets are made with a key, which is all that is stored: the
// secrets themselves come with every request, in the tool results that clients send
// again. With the same key they get the same placeholders, even after a restart.

const (
	keyFile = "placeholder-key"
	keySize = 32 // bytes, written in hexadecimal
)

// errNoKey is a file that holds something else.
var errNoKey = fmt.Errorf("it does not hold %d bytes in hexadecimal: remove the file, and a new one is made", keySize)

// findRedactor returns the redactor that makes placeholders, the same for all loads
// of policies, so that a secret keeps its placeholder. It is called by one load at
// a time, if a policy needs it.
func (s *Server) findRedactor() (*secret.Redactor, error) {
	if s.redactor != nil {
		return s.redactor, nil
	}
	key, err := s.findKey()
	if err != nil {
		return nil, err
	}
	s.redactor = secret.NewRedactor(key)
	return s.redactor, nil
}

// findKey returns the key of the data directory, which is created if it does not
// exist. One that others may know is refused. If none can be stored, as without a
// data directory, a key for this process is made.
func (s *Server) findKey() ([]byte, error) {
	if s.settings.Data == "" {
		return newKey(), nil
	}
	name := filepath.Join(s.settings.Data, keyFile)
	key, err := readKey(name)
	if errors.Is(err, fs.ErrNotExist) {
		key, err = makeKey(name)
	}
	if refused := unfit(err); refused != nil {
		return nil, refused
	}
	if err != nil {
		s.log.Warn("secrets will have other placeholders after a restart, because the placeholder key cannot be stored: name another directory with --data", slog.Any("error", err))
		key = newKey()
	}
	return key, nil
}

// checkRedactor is like findRedactor but only checks whether the key can be used:
// it creates no file.
func (s *Server) checkRedactor() (*secret.Redactor, error) {
	if s.settings.Data != "" {
		_, err := readKey(filepath.Join(s.settings.Data, keyFile))
		if refused := unfit(err); refused != nil {
			return nil, refused
		}
	}
	return secret.NewRedactor(newKey()), nil
}

// unfit returns the error if it is about a file that exists and must not be used,
// otherwise nil.
func unfit(err error) error {
	if _, unsafe := errors.AsType[*ownfile.UnsafeError](err); unsafe || errors.Is(err, errNoKey) {
		return fmt.Errorf("the placeholder key cannot be used: %w", err)
	}
	return nil
}

func newKey() []byte {
	key := make([]byte, keySize)
	_, _ = rand.Read(key) // it never fails
	return key
}

func readKey(name string) ([]byte, error) {
	const most = 2*keySize + 2 // and the end of a line
	data, err := ownfile.Read(name, most)
	if errors.Is(err, ownfile.ErrTooLarge) {
		return nil, fmt.Errorf("%s: %w", name, errNoKey)
	}
	if err != nil {
		return nil, err
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(data)))
	if err != nil || len(key) != keySize {
		return nil, fmt.Errorf("%s: %w", name, errNoKey) // and never what it holds
	}
	return key, nil
}

// makeKey creates the file, or reads it if another process was faster.
func makeKey(name string) ([]byte, error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return nil, err
	}
	key := newKey()
	err := ownfile.Create(name, []byte(hex.EncodeToString(key)+"\n"))
	if errors.Is(err, fs.ErrExist) {
		return readKey(name)
	}
	return key, err
}
