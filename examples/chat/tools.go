package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sluice-project/sluice/agent"
)

// Limits on what the tools return.
const (
	mostEntries = 200
	mostBytes   = 64 << 10
)

type place struct {
	Path string `json:"path,omitempty" jsonschema:"relative to the directory of the chat; empty for that itself"`
}

// listFiles lists a directory. A Root confines the model to its directory, whatever
// path it uses and wherever links lead.
func listFiles(root *os.Root) *agent.Tool {
	return agent.NewTool("list_files", "Lists the files of a directory. Directories end with a slash.",
		func(_ context.Context, in place) (string, error) {
			entries, err := fs.ReadDir(root.FS(), cmp.Or(strings.TrimSuffix(in.Path, "/"), "."))
			if err != nil {
				return "", err
			}
			var list strings.Builder
			for i, e := range entries {
				if i == mostEntries {
					fmt.Fprintf(&list, "… and %d more\n", len(entries)-i)
					break
				}
				list.WriteString(e.Name())
				if e.IsDir() {
					list.WriteByte('/')
				}
				list.WriteByte('\n')
			}
			return cmp.Or(strings.TrimSuffix(list.String(), "\n"), "there are no files"), nil
		})
}

// readFile reads the beginning of a file.
func readFile(root *os.Root) *agent.Tool {
	return agent.NewTool("read_file", "Reads a text file, at most its first 64 KiB.",
		func(_ context.Context, in struct {
			Path string `json:"path"`
		}) (string, error) {
			info, err := root.Stat(in.Path)
			switch {
			case err != nil:
				return "", err
			case !info.Mode().IsRegular():
				return "", errors.New(in.Path + " is not a file") // reading a pipe would never end
			}
			f, err := root.Open(in.Path)
			if err != nil {
				return "", err
			}
			defer func() { _ = f.Close() }()
			data, err := io.ReadAll(io.LimitReader(f, mostBytes))
			if err != nil {
				return "", err
			}
			text := strings.TrimSuffix(string(data), "\n")
			if len(data) == mostBytes {
				text = strings.ToValidUTF8(text, "") + "\n… the rest is left out"
			}
			if !utf8.ValidString(text) {
				return "", errors.New(in.Path + " is not text")
			}
			return text, nil
		})
}

func now() *agent.Tool {
	return agent.NewTool("now", "Tells the date and the time.", func(context.Context, struct{}) (string, error) {
		return time.Now().Format(time.RFC1123), nil
	})
}
