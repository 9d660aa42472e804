package issued_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/gateway/issued"
)

func issue(t *testing.T, dir, name string, roles ...string) string {
	t.Helper()
	secret, k, err := issued.New(dir, issued.Key{Name: name, Roles: roles, User: name + "@example.com", Groups: []string{"team"}})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(secret, "slk_") || len(secret) < 30 || k.Name != name || k.Created.IsZero() {
		t.Fatalf("%q %+v", secret, k)
	}
	return secret
}

func TestAKeyIsKeptAsItsHash(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data", "keys")
	secret := issue(t, dir, "ada", "read", "send")
	info, err := os.Stat(filepath.Join(dir, "ada.json"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if above, err := os.Stat(dir); err != nil || above.Mode().Perm() != 0o700 {
		t.Errorf("the directory: %v, %v", above.Mode(), err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "ada.json"))
	if err != nil || strings.Contains(string(data), secret) || strings.Contains(string(data), secret[4:12]) || !strings.Contains(string(data), fmt.Sprintf("%x", sha256.Sum256([]byte(secret)))) {
		t.Errorf("the file has %s, %v", data, err)
	}
	list, needed := issued.Watch(dir, nil).Now()
	if !needed || len(list) != 1 || list[0].Hash != sha256.Sum256([]byte(secret)) || list[0].Roles != gateway.RoleSend|gateway.RoleRead || list[0].User != "ada@example.com" || list[0].Groups[0] != "team" {
		t.Errorf("%+v %t", list, needed)
	}
}

func TestNamesAndRolesAreChecked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	issue(t, dir, "ada")
	if _, _, err := issued.New(dir, issued.Key{Name: "ada"}); !errors.Is(err, issued.ErrExists) {
		t.Errorf("twice: %v", err)
	}
	for _, name := range []string{"", ".", "..", "../x", "a/b", `a\b`, ".ada", "a b", "a\n", strings.Repeat("x", 101), "ä"} {
		if _, _, err := issued.New(dir, issued.Key{Name: name}); err == nil {
			t.Errorf("%q is a name", name)
		}
		if err := issued.Revoke(dir, name); !errors.Is(err, issued.ErrUnknown) {
			t.Errorf("%q is revoked: %v", name, err)
		}
	}
	if _, _, err := issued.New(dir, issued.Key{Name: strings.Repeat("x", 100)}); err != nil {
		t.Errorf("at the limit: %v", err)
	}
	if _, _, err := issued.New(dir, issued.Key{Name: "bob", Roles: []string{"root"}}); err == nil || !strings.Contains(err.Error(), "send, read, approve or admin") {
		t.Errorf("%v", err)
	}
}

// What is issued and revoked is in force within LookEvery, even if the file system
// gives two changes the same timestamp; and removing keys does not open the gateway.
func TestKeysAreInForceAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "keys")
		ring := issued.Watch(dir, nil)
		have := func(want int, needed bool, when string) {
			t.Helper()
			time.Sleep(issued.LookEvery) // of the bubble's own clock
			if list, is := ring.Now(); len(list) != want || is != needed {
				t.Errorf("%s: %d keys, needed: %t", when, len(list), is)
			}
		}
		have(0, false, "before the first")
		issue(t, dir, "ada")
		have(1, true, "after the first")
		issue(t, dir, "bob")
		have(2, true, "after the second")
		if err := os.Chtimes(dir, time.Now(), time.Now()); err != nil {
			t.Fatal(err)
		}
		have(2, true, "before one is revoked")
		if err := errors.Join(issued.Revoke(dir, "ada"), os.Chtimes(dir, time.Now(), time.Now())); err != nil {
			t.Fatal(err)
		}
		have(1, true, "after it was")
		if err := issued.Revoke(dir, "bob"); err != nil {
			t.Fatal(err)
		}
		have(0, true, "after the last was")
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		have(0, true, "without the directory")
	})
}

// A file that somebody else may have put there is not a key, and the other keys
// still work.
func TestFilesThatAreNoKeys(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	issue(t, dir, "ada")
	good, err := os.ReadFile(filepath.Join(dir, "ada.json"))
	if err != nil {
		t.Fatal(err)
	}
	put := func(name, content string, mode os.FileMode) {
		t.Helper()
		if err := errors.Join(os.WriteFile(filepath.Join(dir, name), []byte(content), mode), os.Chmod(filepath.Join(dir, name), mode)); err != nil {
			t.Fatal(err)
		}
	}
	put("open.json", strings.ReplaceAll(string(good), `"ada"`, `"open"`), 0o644)
	put("other.json", string(good), 0o600) // another's name
	put("empty.json", "", 0o600)
	put("role.json", strings.ReplaceAll(strings.ReplaceAll(string(good), `"ada"`, `"role"`), `"send"`, `"root"`), 0o600)
	put("notes.txt", "x", 0o600)
	list, err := issued.List(dir)
	if len(list) != 1 || list[0].Name != "ada" || err == nil {
		t.Fatalf("%+v, %v", list, err)
	}
	for _, name := range []string{"open.json", "other.json", "empty.json", "role.json"} {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("nothing is said of %s: %v", name, err)
		}
	}
	if keys, needed := issued.Watch(dir, nil).Now(); len(keys) != 1 || !needed {
		t.Errorf("%d keys", len(keys))
	}
}

// Any number of programs issue and revoke at once, and none undoes what another did.
func TestKeysAreIssuedAtTheSameTime(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "keys")
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			name := fmt.Sprintf("k%d", i)
			if _, _, err := issued.New(dir, issued.Key{Name: name}); err != nil {
				t.Error(err)
			}
			if i%2 == 0 {
				if err := issued.Revoke(dir, name); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if list, err := issued.List(dir); err != nil || len(list) != 10 {
		t.Errorf("%d keys, %v", len(list), err)
	}
}
