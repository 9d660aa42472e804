package issued

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/internal/ownfile"
	"github.com/sluice-project/sluice/policy"
)

// Key is a key as it is stored.
type Key struct {
	// Name tells people whose it is. It is unique, and the name of the file.
	Name string `json:"name"`
	// SHA256 is the hash of the key, in hexadecimal.
	SHA256 string `json:"sha256"`
	// Roles are the names of what it may be used for; none means send.
	Roles []string `json:"roles"`
	// User and Groups are for policies.
	User    string    `json:"user,omitempty"`
	Groups  []string  `json:"groups,omitempty"`
	Created time.Time `json:"created"`
}

// Fingerprint is the beginning of the hash, for people to tell keys apart.
func (k *Key) Fingerprint() string { return k.SHA256[:min(len(k.SHA256), 8)] }

const (
	prefix = "slk_"
	suffix = ".json"
	// maxFile bounds the size of a key's file, which needs less, and
	// maxGroups the number of its groups.
	maxFile   = 64 << 10
	maxGroups = 100
)

var namePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.@-]{0,99}$`)

// The errors of keys that people name.
var (
	// ErrExists: there is a key of the name already.
	ErrExists = errors.New("there is already a key of this name: revoke it first, or choose another name")
	// ErrUnknown: there is none.
	ErrUnknown = errors.New("there is no key of this name: `sluice keys list` shows all")
)

// New issues a key. The secret is what the client sends; it is not stored
// anywhere. Name, Roles, User and Groups are taken from k.
func New(dir string, k Key) (secret string, issued Key, err error) {
	if err := k.check(); err != nil {
		return "", Key{}, err
	}
	roles, err := gateway.ParseRoles(k.Roles...)
	if err != nil {
		return "", Key{}, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", Key{}, fmt.Errorf("the directory of keys cannot be created: %w: name another data directory with --data", err)
	}
	secret = prefix + rand.Text() + rand.Text()
	sum := sha256.Sum256([]byte(secret))
	k.SHA256, k.Roles, k.Created = hex.EncodeToString(sum[:]), roles.Names(), time.Now().UTC().Truncate(time.Second)
	data, err := json.Marshal(k)
	if err != nil {
		return "", Key{}, err
	}
	if err := ownfile.Create(fileOf(dir, k.Name), append(data, '\n')); err != nil {
		if errors.Is(err, fs.ErrExist) {
			err = fmt.Errorf("%s: %w", k.Name, ErrExists)
		}
		return "", Key{}, err
	}
	return secret, k, nil
}

// check says what is wrong with a key.
func (k *Key) check() error {
	switch {
	case !namePattern.MatchString(k.Name):
		return errors.New("the name of a key has up to 100 letters, digits, - _ . and @, and begins with a letter or a digit")
	case len(k.User) > 200 || len(k.Groups) > maxGroups:
		return fmt.Errorf("a key has a user of at most 200 bytes and at most %d groups", maxGroups)
	}
	return nil
}

// List returns the valid keys, sorted by name, and what is wrong with the others.
// Without the directory there are none.
func List(dir string) ([]Key, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []Key
	var problems []error
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), suffix)
		if !ok || strings.HasPrefix(name, ".") {
			continue // a file that is being created
		}
		k, err := read(dir, name)
		switch {
		case errors.Is(err, fs.ErrNotExist): // revoked since
		case err != nil:
			problems = append(problems, err)
		default:
			list = append(list, *k)
		}
	}
	return list, errors.Join(problems...)
}

func read(dir, name string) (*Key, error) {
	file := fileOf(dir, name)
	data, err := ownfile.Read(file, maxFile)
	if err != nil {
		return nil, err
	}
	k := &Key{}
	if json.Unmarshal(data, k) != nil || k.Name != name || k.check() != nil || len(k.SHA256) != 2*sha256.Size {
		return nil, fmt.Errorf("%s is not a key: remove the file", file)
	}
	if _, err := k.gateway(); err != nil {
		return nil, fmt.Errorf("%s is not a key (%w): remove the file", file, err)
	}
	return k, nil
}

// gateway converts the key to the gateway's type.
func (k *Key) gateway() (gateway.Key, error) {
	roles, err := gateway.ParseRoles(k.Roles...)
	made := gateway.Key{Roles: roles, Key: policy.Key{Name: k.Name, User: k.User, Groups: k.Groups}}
	if err == nil {
		_, err = hex.Decode(made.Hash[:], []byte(k.SHA256))
	}
	return made, err
}

// Revoke revokes a key. Gateways refuse it within [LookEvery].
func Revoke(dir, name string) error {
	err := fs.ErrNotExist
	if namePattern.MatchString(name) {
		err = os.Remove(fileOf(dir, name))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", name, ErrUnknown)
	}
	return err
}

func fileOf(dir, name string) string { return filepath.Join(dir, name+suffix) }
