package evasion_test

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/call"
)

// mostWrong is the share of a source of everyday commands that may be blocked
// wrongly.
const mostWrong = 0.003

// labels are the everyday commands that are blocked, each with what a person
// thinks of that. They are named by their hashes, because they are others' texts.
//
//go:embed commands.txt
var labels string

// realCommand is one line of a source.
type realCommand struct {
	Text     string `json:"cmd"`
	Category string `json:"category"`
}

// label is one line of commands.txt.
type label struct{ source, hash, policy, says string }

// TestCommands judges every command of the directory that SLUICE_COMMANDS names,
// as typed by the user dev in /home/dev/project. The directory has files of JSON
// lines; those whose names begin with everyday are of people at work. What is
// blocked of these is listed in commands.txt.
func TestCommands(t *testing.T) {
	dir := os.Getenv("SLUICE_COMMANDS")
	if dir == "" {
		t.Skip("SLUICE_COMMANDS names no directory with files of commands")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files of commands in %s: %v", dir, err)
	}
	listed := readLabels(t)
	set := recommended(t)
	type count struct{ all, blocked int }
	counts, wrongs := map[string]*count{}, map[string]int{}
	for _, file := range files {
		source := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		for _, c := range readCommands(t, file) {
			name := source
			if function, _, ok := strings.Cut(c.Category, "/"); ok && strings.Contains(source, "gtfobins") {
				name += " " + function
			}
			if counts[name] == nil {
				counts[name] = &count{}
			}
			counts[name].all++
			by := blockedBy(set, c.Text)
			if by == "" {
				continue
			}
			counts[name].blocked++
			if !strings.HasPrefix(source, "everyday") {
				continue
			}
			key := source + " " + hashOf(c.Text)
			l, ok := listed[key]
			switch {
			case !ok:
				t.Errorf("%s is blocked by %s and not in commands.txt: %.200q", key, by, c.Text)
			case l.policy != by:
				t.Errorf("%s is blocked by %s, not by %s: %.200q", key, by, l.policy, c.Text)
			case l.says == "wrong" && l.hash != "":
				wrongs[source]++
			}
			l.hash = "" // seen; the same command may be in a source twice
			listed[key] = l
		}
	}
	for key, l := range listed {
		if _, known := counts[l.source]; known && l.hash != "" {
			t.Errorf("%s is in commands.txt and no longer blocked", key)
		}
	}
	var table strings.Builder
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		n := counts[name]
		fmt.Fprintf(&table, "\n%-42s %6d commands %5d blocked %6.2f %%", name, n.all, n.blocked, 100*float64(n.blocked)/float64(n.all))
		if strings.HasPrefix(name, "everyday") {
			fmt.Fprintf(&table, "%4d wrongly %5.2f %%", wrongs[name], 100*float64(wrongs[name])/float64(n.all))
		}
		if share := float64(wrongs[name]) / float64(n.all); share > mostWrong {
			t.Errorf("%s: %.2f %% are blocked wrongly", name, 100*share)
		}
	}
	t.Logf("blocked by recommended:%s", table.String())
}

func TestLabelsAreSortedAndWhole(t *testing.T) {
	t.Parallel()
	if lines := strings.Split(strings.TrimSpace(labels), "\n"); !slices.IsSortedFunc(lines, cmp.Compare[string]) {
		t.Error("commands.txt is not sorted")
	}
	readLabels(t)
}

// readLabels reads commands.txt, by source and hash.
func readLabels(t *testing.T) map[string]label {
	t.Helper()
	list := map[string]label{}
	for line := range strings.Lines(labels) {
		words := strings.Fields(line)
		if len(words) < 5 || len(words[1]) != 12 || !slices.Contains([]string{"right", "wrong", "debatable"}, words[3]) {
			t.Fatalf("a line is no source, hash, policy, label and reason: %s", line)
		}
		list[words[0]+" "+words[1]] = label{words[0], words[1], words[2], words[3]}
	}
	return list
}

func readCommands(t *testing.T, file string) []realCommand {
	t.Helper()
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var list []realCommand
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var c realCommand
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		list = append(list, c)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// hashOf names a command.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:12]
}

// blockedBy is the policy that stops a command, empty if it passes.
func blockedBy(set *policy.Set, text string) string {
	x := &policy.Exchange{Session: policy.Session{Cwd: "/home/dev/project", Home: "/home/dev"}}
	v := set.Decide(context.Background(), x, call.Shapes(text)[0], policy.Options{}).Verdict
	switch v.Action {
	case policy.BlockEndTurn, policy.BlockFeedback, policy.Abort, policy.Ask:
		return v.Policy
	default:
		return ""
	}
}
