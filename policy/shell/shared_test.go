package shell

import (
	"fmt"
	"sync"
	"testing"
)

// The memory in which a text is split serves the next one, and nothing of a
// result is in it.
func TestResultsAreTheirOwn(t *testing.T) {
	texts := []string{
		"go test ./... 2>&1 | tail -20", "rm -rf a b c", "bash -c 'git push -f; ls' x", "$X a; cat <<E\nb\nE", "A=1 env B=2 make -j4 all",
	}
	want := make([]string, len(texts))
	for i, text := range texts {
		commands, unknown := Split(text)
		want[i] = fmt.Sprint(commands, unknown)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			kept := make([][]Command, len(texts))
			unknown := make([][]string, len(texts))
			for range 20 {
				for i, text := range texts {
					kept[i], unknown[i] = Split(text)
				}
				for i := range texts {
					if got := fmt.Sprint(kept[i], unknown[i]); got != want[i] {
						t.Errorf("%s: %s, want %s", texts[i], got, want[i])
					}
				}
			}
		})
	}
	all.Wait()
}

// The arguments of commands lie side by side. To append to those of one does not
// change those of the next.
func TestArgumentsDoNotOverlap(t *testing.T) {
	commands, _ := Split("one a b; two c d")
	_ = append(commands[0].Args, "x")
	if got := fmt.Sprint(commands[1].Args); got != "[c d]" {
		t.Errorf("got %s", got)
	}
}

// Room is made for what a text seems to have. What it really has may be more.
func TestMoreThanExpectedIsRead(t *testing.T) {
	for _, n := range []int{mostExpectedCommands, mostExpectedCommands + 1, 3 * mostExpectedCommands} {
		text := ""
		for i := range n {
			text += fmt.Sprintf("c%d a\tb\tc\td\te\tf\tg\th\ti;", i)
		}
		commands, unknown := Split(text)
		if len(commands) != n || len(unknown) > 0 {
			t.Fatalf("%d commands and %v, want %d", len(commands), unknown, n)
		}
		for i := range commands {
			if got, want := fmt.Sprint(commands[i].Name, commands[i].Args), fmt.Sprintf("c%d[a b c d e f g h i]", i); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		}
	}
}
