package anthropic_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// corpus returns the directory with recorded streams of the dialect, and the
// index that says what is in them.
func corpus(t *testing.T) (dir, index string) {
	t.Helper()
	root := os.Getenv("SLUICE_CORPUS")
	if root == "" {
		t.Skip("SLUICE_CORPUS is not set: the recorded streams are not part of the repository")
	}
	text, err := os.ReadFile(filepath.Join(root, "INDEX.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, index, _ = strings.Cut(string(text), "\n## anthropic")
	index, _, _ = strings.Cut(index, "\n## ")
	return filepath.Join(root, "anthropic"), index
}

var indexRow = regexp.MustCompile(`(?m)^\| (\S+)\.jsonl( \+json)? \| [^|]* \| [^|]* \| ([^|]*) \| (\S+) \|`)

func TestCorpusStreamsGiveTheBlocksOfTheIndex(t *testing.T) {
	dir, index := corpus(t)
	rows := indexRow.FindAllStringSubmatch(index, -1)
	if len(rows) < 50 {
		t.Fatalf("only %d rows in the index", len(rows))
	}
	for _, row := range rows {
		t.Run(row[1], func(t *testing.T) {
			raw, err := os.ReadFile(filepath.Join(dir, row[1]+".jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			got := feed(t, lines(raw))
			if counts := countBlocks(got.state); counts != sortedCounts(row[3]) {
				t.Errorf("blocks %q, the index says %q", counts, row[3])
			}
			if word := got.state.FinishReason(); word != row[4] && (word != "" || row[4] != "None") {
				t.Errorf("finish %q, the index says %q", word, row[4])
			}
			checkPassThrough(t, lines(raw))
			checkForce(t, lines(raw))
			if row[2] == "" {
				return
			}
			body, err := os.ReadFile(filepath.Join(dir, row[1]+".json"))
			if err != nil {
				t.Fatal(err)
			}
			whole := feed(t, [][]byte{body})
			if !whole.state.Complete() || whole.err != nil {
				t.Errorf("the whole answer is not complete: %v", whole.err)
			}
			if len(whole.deviations) > 0 {
				t.Errorf("the whole answer deviates: %v", whole.deviations)
			}
		})
	}
}

func lines(raw []byte) [][]byte {
	var list [][]byte
	s := bufio.NewScanner(bytes.NewReader(raw))
	s.Buffer(nil, 64<<20)
	for s.Scan() {
		list = append(list, bytes.Clone(s.Bytes()))
	}
	return list
}

// countBlocks writes how many blocks of each kind there are in the words of the
// index.
func countBlocks(s *stream.State) string {
	counts := map[string]int{}
	for _, b := range s.Blocks() {
		switch b.Kind() {
		case llm.Content, llm.Thinking, llm.ToolCall:
			counts[b.Kind().String()]++
		default:
			counts[b.Type()]++
		}
	}
	var words []string
	for word, n := range counts {
		words = append(words, fmt.Sprintf("%d %s", n, word))
	}
	return sortedCounts(strings.Join(words, ", "))
}

func sortedCounts(text string) string {
	if text = strings.TrimSpace(text); text == "none" || text == "" {
		return ""
	}
	words := strings.Split(text, ", ")
	return strings.Join(sorted(words), ", ")
}
