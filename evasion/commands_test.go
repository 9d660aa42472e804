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

// mostMissed is the share of the functions of GTFOBins that a page promises to stop
// which may do harm and pass.
const mostMissed = 0.05

// passed are the commands of these functions that pass, each with what a person thinks
// of that.
//
//go:embed passed.txt
var passed string

// stopped are the functions of GTFOBins that policies are made for: the others start a
// shell or a program, which is an agent's everyday work.
var stopped = []string{"file-read", "file-write", "upload", "download", "reverse-shell", "bind-shell"}

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
	listed := readLabels(t, labels, "right", "wrong", "debatable")
	passing := readLabels(t, passed, "harmless", "missed", "debatable")
	set := recommended(t)
	type count struct{ all, blocked int }
	counts, wrongs, missed := map[string]*count{}, map[string]int{}, map[string]int{}
	for _, file := range files {
		source := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		for _, c := range readCommands(t, file) {
			name, function := source, ""
			if strings.Contains(source, "gtfobins") {
				function, _, _ = strings.Cut(c.Category, "/")
				name += " " + function
			}
			if counts[name] == nil {
				counts[name] = &count{}
			}
			counts[name].all++
			by, key := blockedBy(set, c.Text), source+" "+hashOf(c.Text)
			if by == "" {
				if slices.Contains(stopped, function) {
					l, ok := passing[key]
					if !ok {
						t.Errorf("%s passes and is not in passed.txt: %.200q", key, c.Text)
					}
					if l.says != "harmless" {
						missed[name]++
					}
					l.hash = ""
					passing[key] = l
				}
				continue
			}
			counts[name].blocked++
			if !strings.HasPrefix(source, "everyday") {
				continue
			}
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
	for key, l := range passing {
		if l.hash != "" && slices.ContainsFunc(files, func(file string) bool { return strings.Contains(file, l.source) }) {
			t.Errorf("%s is in passed.txt and no longer passes", key)
		}
	}
	var table strings.Builder
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		n := counts[name]
		fmt.Fprintf(&table, "\n%-42s %6d commands %5d blocked %6.2f %%", name, n.all, n.blocked, 100*float64(n.blocked)/float64(n.all))
		if share := float64(missed[name]) / float64(n.all); share > mostMissed {
			t.Errorf("%s: %.1f %% do harm and pass", name, 100*share)
		}
		if _, function, _ := strings.Cut(name, " "); slices.Contains(stopped, function) {
			fmt.Fprintf(&table, "%4d do harm and pass", missed[name])
		}
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
	for name, text := range map[string]string{"commands.txt": labels, "passed.txt": passed} {
		if lines := strings.Split(strings.TrimSpace(text), "\n"); !slices.IsSortedFunc(lines, cmp.Compare[string]) {
			t.Errorf("%s is not sorted", name)
		}
	}
	readLabels(t, labels, "right", "wrong", "debatable")
	readLabels(t, passed, "harmless", "missed", "debatable")
}

// readLabels reads a list of labels, by source and hash. Its third column is the policy
// that blocks a command, or the function of one that passes.
func readLabels(t *testing.T, text string, says ...string) map[string]label {
	t.Helper()
	list := map[string]label{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) < 5 || len(words[1]) != 12 || !slices.Contains(says, words[3]) {
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
