package openaichat_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// corpus returns the directory with recorded streams of the dialect, and the
// rows of the index that say what is in them.
func corpus(t *testing.T) (dir string, rows [][]string) {
	t.Helper()
	root := os.Getenv("SLUICE_CORPUS")
	if root == "" {
		t.Skip("SLUICE_CORPUS is not set: the recorded streams are not part of the repository")
	}
	index, err := os.ReadFile(filepath.Join(root, "INDEX.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(index), "\n## openai-chat")
	section, _, _ = strings.Cut(section, "\n## ")
	rows = indexRow.FindAllStringSubmatch(section, -1)
	if len(rows) != 86 {
		t.Fatalf("%d rows in the index, want 86", len(rows))
	}
	return filepath.Join(root, "openai-chat"), rows
}

var indexRow = regexp.MustCompile(`(?m)^\| (\S+)\.jsonl( \+json)? \| [^|]* \| [^|]* \| ([^|]*) \| (\S+) \|`)

func recorded(t *testing.T, file string) []event {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []event
	for line := range bytes.Lines(raw) {
		list = append(list, event{data: string(bytes.TrimSuffix(line, []byte("\n")))})
	}
	return list
}

func TestCorpusStreamsGiveTheBlocksOfTheIndex(t *testing.T) {
	dir, rows := corpus(t)
	for _, row := range rows {
		t.Run(row[1], func(t *testing.T) {
			events := recorded(t, filepath.Join(dir, row[1]+".jsonl"))
			got := feed(t, events)
			if counts := countBlocks(got.state); counts != sortedCounts(row[3]) {
				t.Errorf("blocks %q, the index says %q", counts, row[3])
			}
			if word := got.state.FinishReason(); word != row[4] && (word != "" || row[4] != "None") {
				t.Errorf("finish %q, the index says %q", word, row[4])
			}
			if testing.Verbose() {
				t.Log(got.err, got.deviations)
			}
			checkPassThrough(t, got)
			checkForce(t, got)
			if row[2] == "" {
				return
			}
			body, err := os.ReadFile(filepath.Join(dir, row[1]+".json"))
			if err != nil {
				t.Fatal(err)
			}
			whole := feed(t, payloads(string(body)))
			if !whole.state.Complete() || whole.err != nil {
				t.Errorf("the whole answer is not complete: %v", whole.err)
			}
		})
	}
}

func countBlocks(s *stream.State) string {
	var items []string
	for _, c := range s.Choices() {
		counts := map[string]int{}
		for _, b := range c.Blocks() {
			name := b.Kind().String()
			if b.Kind() == llm.ToolCall && b.Type() == "custom" {
				name = "custom_tool_call"
			}
			counts[name]++
		}
		for name, n := range counts {
			items = append(items, fmt.Sprintf("%d/%s %d", c.Index(), name, n))
		}
	}
	sort.Strings(items)
	return strings.Join(items, ", ")
}

// sortedCounts brings "1 content; choice 1: content" into the form of
// countBlocks.
func sortedCounts(cell string) string {
	var items []string
	for i, part := range strings.Split(cell, ";") {
		_, list, ok := strings.Cut(part, ": ")
		if !ok {
			list = part
		}
		for item := range strings.SplitSeq(list, ",") {
			fields := strings.Fields(item)
			switch {
			case len(fields) == 2:
				items = append(items, fmt.Sprintf("%d/%s %s", i, fields[1], fields[0]))
			case len(fields) == 1 && fields[0] != "none":
				items = append(items, fmt.Sprintf("%d/%s 1", i, fields[0]))
			}
		}
	}
	sort.Strings(items)
	return strings.Join(items, ", ")
}
