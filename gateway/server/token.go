package server

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sluice-project/sluice/gateway/settings"
	"github.com/sluice-project/sluice/internal/ownfile"
)

// adminToken is the credential of the admin routes and where people find it.
type adminToken struct {
	text string
	// where is for people; empty if there is no token.
	where string
}

const (
	tokenFile  = "admin-token"
	leastToken = 20
	mostToken  = 4096
)

// findToken returns the token of the settings, otherwise that of the data
// directory, which is created if it does not exist. Without a data directory
// there is none, and the admin routes are off.
func findToken(s *settings.Settings) (adminToken, error) {
	switch {
	case s.Admin.TokenEnv != "":
		return adminToken{s.Admin.Token.Reveal(), "in $" + s.Admin.TokenEnv}, nil
	case s.Admin.TokenFile != "":
		return adminToken{s.Admin.Token.Reveal(), s.Admin.TokenFile}, nil
	case !s.Admin.Token.Empty():
		return adminToken{s.Admin.Token.Reveal(), "set by the program"}, nil
	case s.Data == "":
		return adminToken{}, nil
	}
	if err := os.MkdirAll(s.Data, 0o700); err != nil {
		return adminToken{}, fmt.Errorf("the data directory cannot be created: %w: name another one with --data, or set admin.token_env so that none is needed", err)
	}
	name := filepath.Join(s.Data, tokenFile)
	text, err := readToken(name)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = makeToken(name)
	}
	if err != nil {
		return adminToken{}, fmt.Errorf("the admin token cannot be stored: %w: name another directory with --data, or set admin.token_env", err)
	}
	return adminToken{text, name}, nil
}

func readToken(name string) (string, error) {
	data, err := ownfile.Read(name, mostToken)
	if err != nil && !errors.Is(err, ownfile.ErrTooLarge) {
		return "", err
	}
	text := strings.TrimSpace(string(data))
	if len(text) < leastToken || strings.ContainsFunc(text, func(c rune) bool { return c <= ' ' || c >= 0x7f }) {
		return "", fmt.Errorf("%s has no token in it: remove the file, and a new one is made", name)
	}
	return text, nil
}

// makeToken creates the file, or reads it if another process was faster.
func makeToken(name string) (string, error) {
	text := rand.Text() + rand.Text()
	err := ownfile.Create(name, []byte(text+"\n"))
	if errors.Is(err, fs.ErrExist) {
		return readToken(name)
	}
	return text, err
}
