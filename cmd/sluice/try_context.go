package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/sluice-project/sluice/llm"
)

// context reads what the flags say about where and when a call is made.
func (f *tryFlags) context(args []string) error {
	if f.at != "" {
		now, err := time.Parse(time.RFC3339, f.at)
		if err != nil {
			return fmt.Errorf("policy try: --now is %q: write a time like 2026-01-31T22:15:00Z", f.at)
		}
		f.now = now
	}
	name := f.request
	if name == "" && len(args) == 1 {
		name = requestBeside(args[0])
	}
	if name == "" {
		return nil
	}
	asked, err := readRequest(name)
	if err != nil {
		return fmt.Errorf("policy try: --request %s: %w", name, err)
	}
	f.asked, f.request = asked, name
	return nil
}

// requestBeside is the request that sluice record kept beside an answer, empty if
// there is none.
func requestBeside(answer string) string {
	for _, ending := range []string{".sse", ".json"} {
		base, ok := strings.CutSuffix(answer, ending)
		if !ok || strings.HasSuffix(base, ".request") {
			continue
		}
		name := base + ".request.json"
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			return name
		}
	}
	return ""
}

// readRequest reads a request in any dialect.
func readRequest(name string) (*llm.Request, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxRecording {
		return nil, fmt.Errorf("it is larger than %s", size(maxRecording))
	}
	data, err := os.ReadFile(name) //nolint:gosec // reading the named file is the job
	if err != nil {
		return nil, err
	}
	format := requestFormat(name, data)
	if format == "" {
		return nil, errors.New("this is not a request: it has no messages")
	}
	return format.ReadRequest(data)
}
