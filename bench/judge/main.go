// Judge measures what judgement costs: a call that all recommended policies let
// pass, and the search for secrets in clean text.
//
//	run.sh judge
//	run.sh judge -calls 20000
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/sluice-project/sluice/gateway/server"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
	"github.com/sluice-project/sluice/policy/secret"
)

func main() {
	calls := flag.Int("calls", 5000, "how often each call is judged")
	flag.Parse()
	if err := run(*calls); err != nil {
		fmt.Fprintln(os.Stderr, "judge:", err)
		os.Exit(1)
	}
}

func run(calls int) error {
	loaded, err := file.Load(file.Options{}, "preset:recommended")
	if err != nil {
		return err
	}
	server.SpareCollections() // as the program does
	w := tabwriter.NewWriter(os.Stdout, 2, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Printf("an allowed call through all of recommended (%d policies), %d times each\n", len(loaded.Policies), calls)
	tellf(w, "call\targuments\tp50\tp99\tmost\t\n")
	worst := time.Duration(0)
	for _, c := range everyday() {
		took, err := judge(loaded.Set, c.block, calls)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		p99 := took[len(took)*99/100]
		worst = max(worst, p99)
		tellf(w, "%s\t%d B\t%s\t%s\t%s\t\n", c.name, len(c.block.Arguments), round(took[len(took)/2]), round(p99), round(took[len(took)-1]))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Printf("worst p99 %s, limit 1ms\n\nsecrets in clean text\n", round(worst))
	for _, size := range []int{4 << 10, 64 << 10, 1 << 20, 4 << 20} {
		tellf(w, "%d KB\t%.0f MB/s\t\n", size>>10, throughput(clean(size)))
	}
	tellf(w, "\t\t\n")
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Println("limit 200 MB/s; the same at every size means linear")
	return nil
}

// tellf writes a row of a table, which reports an error at its end.
func tellf(w *tabwriter.Writer, format string, args ...any) { _, _ = fmt.Fprintf(w, format, args...) }

// call is something that agents do all day.
type call struct {
	name  string
	block llm.Block
}

func everyday() []call {
	text := strings.Repeat("a line of text with words, numbers 123 and (brackets)\n", 73)[:3900]
	source := func(n int) string {
		return strings.Repeat("func (s *Server) handle(w http.ResponseWriter, r *http.Request) error { return s.next.ServeHTTP(w, r) }\n", n/100+1)[:n]
	}
	made := func(tool string, arguments map[string]any) llm.Block {
		var data strings.Builder
		to := json.NewEncoder(&data)
		to.SetEscapeHTML(false) // models write & as it is
		if err := to.Encode(arguments); err != nil {
			panic(err) // plain texts
		}
		return llm.Block{Kind: llm.ToolCall, ID: "call_1", Name: tool, Type: "tool_use", Arguments: strings.TrimSuffix(data.String(), "\n"), Status: llm.Complete}
	}
	return []call{
		{"shell, short", made("Bash", map[string]any{"command": "cd /home/alice/project && go test ./... 2>&1 | tail -20"})},
		{"shell, here-document", made("Bash", map[string]any{"command": "cat > notes.md <<'EOF'\n" + text + "EOF"})},
		{"shell, many commands", made("Bash", map[string]any{"command": strings.Repeat("go vet ./internal && grep -rn TODO src | head -5\n", 80)})},
		{"shell, program", made("Bash", map[string]any{"command": "python3 - <<'EOF'\n" + strings.Repeat("print(sum(range(10)), 'ok')\n", 140) + "EOF"})},
		{"shell, message", made("Bash", map[string]any{"command": "git commit -m '" + text + "'"})},
		{"write", made("Write", map[string]any{"file_path": "/home/alice/project/a.go", "content": source(4000)})},
		{"edit", made("Edit", map[string]any{"file_path": "/home/alice/project/a.go", "old_string": source(2000), "new_string": source(2000)})},
		{"fetch", made("WebFetch", map[string]any{"url": "https://pkg.go.dev/net/http", "prompt": text})},
		{"other tool", made("create_ticket", map[string]any{"title": "x", "body": text})},
	}
}

func judge(set *policy.Set, b llm.Block, n int) ([]time.Duration, error) {
	x := &policy.Exchange{
		Session: policy.Session{Cwd: "/home/alice/project", Home: "/home/alice"},
		Request: &llm.Request{Messages: []llm.Message{{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content, Text: "go on"}}}}},
	}
	took := make([]time.Duration, 0, n)
	for i := range n + n/10 {
		began := time.Now()
		r := set.Decide(context.Background(), x, b, policy.Options{})
		spent := time.Since(began)
		if !r.Delivered {
			return nil, fmt.Errorf("blocked by %s: %s", r.Verdict.Policy, r.Verdict.Reason)
		}
		if i >= n/10 { // the first ones warm up
			took = append(took, spent)
		}
	}
	slices.Sort(took)
	return took, nil
}

// clean is code, prose and logs without secrets.
func clean(size int) string {
	const part = "The gateway reads the answer block by block; nothing leaves before it was judged.\n" +
		"func (q *queue) push(item Item) error {\n\tif len(q.items) >= q.limit {\n\t\treturn errFull\n\t}\n\treturn nil\n}\n" +
		"2026-11-15T10:11:12Z INFO request done method=GET path=/v1/items status=200 took=12ms token_count=341\n" +
		"\"node_modules/left-pad\": {\"version\": \"1.3.0\", \"integrity\": \"sha512-XI5MPzVNApjAyhQzphX8BkmKsKUxD4LdyK24iZeQGinBN9yTQT3bFlCBy/aVx2HrNcqQGsdot8ghrjyrvMCoEA==\"}\n"
	return strings.Repeat(part, size/len(part)+1)[:size]
}

func throughput(text string) float64 {
	bytes, began := 0, time.Now()
	for time.Since(began) < time.Second {
		if found := secret.Find(text); len(found) > 0 {
			panic("the text is not clean")
		}
		bytes += len(text)
	}
	return float64(bytes) / time.Since(began).Seconds() / 1e6
}

func round(d time.Duration) time.Duration { return d.Round(100 * time.Nanosecond) }
