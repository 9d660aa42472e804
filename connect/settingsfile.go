package connect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxSettings is the size limit of a settings file. Settings have a few
// kilobytes; the file in which Claude Code keeps its state, some megabytes.
const maxSettings = 64 << 20

// object is a JSON or TOML object. Its methods look members up without caring
// whether they are there.
type object map[string]any

// object returns a member that is an object, nil when it is none.
func (o object) object(path ...string) object {
	for _, name := range path {
		switch member := o[name].(type) {
		case map[string]any:
			o = member
		case object:
			o = member
		default:
			return nil
		}
	}
	return o
}

// text returns a member that is a string, empty when it is none.
func (o object) text(path ...string) string {
	if len(path) == 0 {
		return ""
	}
	text, _ := o.object(path[:len(path)-1]...)[path[len(path)-1]].(string)
	return text
}

// readFile reads a file of settings; nil when there is none.
func readFile(name string) ([]byte, error) {
	f, err := os.Open(name) //nolint:gosec // which files are read is the point of this package
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || isNotDirectory(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, maxSettings+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxSettings {
		return nil, fmt.Errorf("%s has more than %d bytes", name, maxSettings)
	}
	return data, nil
}

// isNotDirectory: a part of the path is a file, so there is nothing there.
func isNotDirectory(err error) bool {
	var pathErr *fs.PathError
	return errors.As(err, &pathErr) && strings.Contains(pathErr.Err.Error(), "not a directory")
}

// settings reads a JSON file with comments. An absent file is an empty object.
// One that cannot be read is refused: it may send the client anywhere.
func (p *preparation) settings(name string) (object, error) {
	data, err := readFile(name)
	if err == nil && len(bytes.TrimSpace(data)) > 0 {
		var o object
		if o, err = parseJSON(data); err == nil {
			return o, nil
		}
	}
	if err != nil {
		return nil, p.refuse("repair or remove that file", "%s cannot be read, so it is not known where it sends the client: %v", name, err)
	}
	return object{}, nil
}

// errNoObject is JSON that is not an object.
var errNoObject = errors.New("the settings must be an object in braces")

// parseJSON reads an object in JSON with comments and trailing commas.
func parseJSON(data []byte) (object, error) {
	var o object
	decoder := json.NewDecoder(bytes.NewReader(plainJSON(data)))
	decoder.UseNumber() // numbers are written back as they were
	switch err := decoder.Decode(&o); {
	case errors.As(err, new(*json.UnmarshalTypeError)), err == nil && o == nil:
		return nil, errNoObject
	case err != nil:
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the JSON object")
	}
	return o, nil
}

// plainJSON replaces comments and trailing commas by spaces, and leaves strings
// alone.
func plainJSON(data []byte) []byte {
	out := bytes.Clone(bytes.TrimPrefix(data, []byte("\ufeff")))
	comma := -1 // a comma after which nothing but space came
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case c == '"':
			comma = -1
			for i++; i < len(out) && out[i] != '"'; i++ {
				if out[i] == '\\' {
					i++
				}
			}
		case c == '/' && i+1 < len(out) && (out[i+1] == '/' || out[i+1] == '*'):
			end := commentEnd(out, i)
			for ; i < end; i++ {
				if out[i] != '\n' {
					out[i] = ' '
				}
			}
			i--
		case c == ',':
			comma = i
		case (c == '}' || c == ']') && comma >= 0:
			out[comma] = ' '
			comma = -1
		case c != ' ' && c != '\t' && c != '\n' && c != '\r':
			comma = -1
		}
	}
	return out
}

// commentEnd returns where the comment that begins at i ends.
func commentEnd(data []byte, i int) int {
	if data[i+1] == '/' {
		if n := bytes.IndexByte(data[i:], '\n'); n >= 0 {
			return i + n
		}
		return len(data)
	}
	if n := bytes.Index(data[i+2:], []byte("*/")); n >= 0 {
		return i + 2 + n + 2
	}
	return len(data)
}

// above returns dir and the directories above it, up to the root of the
// repository or the home directory: where clients look for project settings.
func (p *preparation) above() []string {
	var dirs []string
	dir := filepath.Clean(p.opt.Dir)
	for range 64 {
		if dir == filepath.Clean(p.home) && len(dirs) > 0 {
			break
		}
		dirs = append(dirs, dir)
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			break
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return dirs
}

// system returns the path of a system-wide file on this system.
func (p *preparation) system(linux, darwin, windows string) string {
	at := linux
	switch p.os {
	case "darwin":
		at = darwin
	case "windows":
		at = windows
	}
	if p.opt.Root == "" {
		return at
	}
	return filepath.Join(p.opt.Root, filepath.FromSlash(strings.ReplaceAll(strings.TrimPrefix(at, `C:`), `\`, "/")))
}
