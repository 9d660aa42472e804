package readers

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sluice-project/sluice/wire"
)

//go:embed js/*.mjs python/*.py
var scripts embed.FS

// library is a client library, and the script that reads with it.
type library struct {
	name     string
	script   string
	dialects []wire.Format
}

var (
	javaScript = []library{
		{"openai-node", "openai.mjs", []wire.Format{wire.OpenAIChat, wire.OpenAIResponses}},
		{"ai-sdk", "ai-sdk.mjs", wire.Formats()},
		{"anthropic-sdk-typescript", "anthropic.mjs", []wire.Format{wire.Anthropic}},
		{"js-genai", "genai.mjs", []wire.Format{wire.Gemini}},
	}
	python = []library{
		{"openai-python", "openai_reader.py", []wire.Format{wire.OpenAIChat, wire.OpenAIResponses}},
		{"anthropic-sdk-python", "anthropic_reader.py", []wire.Format{wire.Anthropic}},
		{"python-genai", "genai_reader.py", []wire.Format{wire.Gemini}},
	}
)

// Open starts all readers with the libraries that scripts/readers-setup.sh
// installed in a directory. The caller closes each. Without a directory there
// are only the readers that need no library.
func Open(installed string) ([]Reader, error) {
	readers := []Reader{Codex(), Credulous()}
	if installed == "" {
		return readers, nil
	}
	var failures error
	add := func(l library, language string) {
		p, err := launch(l, language, installed)
		if err != nil {
			failures = errors.Join(failures, err)
			return
		}
		readers = append(readers, p)
	}
	for _, l := range javaScript {
		add(l, "js")
	}
	for _, l := range python {
		add(l, "python")
	}
	if failures != nil {
		for _, r := range readers {
			failures = errors.Join(failures, r.Close())
		}
		return nil, failures
	}
	return readers, nil
}

// launch writes the scripts of a language into a directory of their own,
// where they find the installed libraries, and runs one.
func launch(l library, language, installed string) (*process, error) {
	dir, err := os.MkdirTemp("", "sluice-reader-")
	if err != nil {
		return nil, err
	}
	p, err := launchIn(dir, l, language, installed)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return p, nil
}

func launchIn(dir string, l library, language, installed string) (*process, error) {
	files, err := fs.Sub(scripts, language)
	if err != nil {
		return nil, err
	}
	if err := os.CopyFS(dir, files); err != nil {
		return nil, err
	}
	if language == "python" {
		return start(l, dir, filepath.Join(installed, "venv", "bin", "python"), l.script)
	}
	// Node looks for packages next to the script.
	modules := filepath.Join(installed, "node_modules")
	if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
		return nil, fmt.Errorf("the reader %s finds no packages: %w", l.name, err)
	}
	return start(l, dir, filepath.Join(modules, ".bin", "node"), l.script)
}
