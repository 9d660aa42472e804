package script

import (
	"slices"
	"testing"

	"github.com/sluice-project/sluice/policy/program/library"
)

// A function is read with what it is given, however the language writes it.
func TestFunctionsAreReadWithWhatTheyAreGiven(t *testing.T) {
	for language, programs := range map[library.Language][]string{
		library.Python: {
			"import os\ndef f(p): os.remove(p)\nf('/a')",
			"import os\ndef f(p='/a'): os.remove(p)\nf()",
			"import os\ndef f(q, *, p: str = '/b'): os.remove(p)\nf(1, p='/a')",
			"import os\n(lambda p: os.remove(p))('/a')",
			"import os\nf = lambda q, p='/a': os.remove(p)\nf(1)",
			"import os\nlist(map(lambda p: os.remove('/' + p), ['a']))",
			"import os\nclass A:\n  def go(self, p): os.remove(p)\nA().go('/a')",
		},
		library.Perl: {
			"sub f { unlink $_[0] } f('/a');",
			"sub f { my ($q, $p) = @_; unlink $p } f(1, '/a');",
			"sub f { my $p = shift; unlink $p } f('/a');",
			"sub f { my $q = shift; my $p = shift @_; unlink $p } f(1, '/a');",
			"my $f = sub { my ($p) = @_; unlink $p }; $f->('/a');",
			"sub f($p) { unlink $p } f('/a');",
			"my $x = &{'un' . 'link'}('/a');",
		},
		library.Ruby: {
			"def f(p) File.delete p end; f '/a'",
			"def f p\n  File.delete p\nend\nf '/a'",
			"def f(p = '/a')\n  File.delete p\nend\nf",
			"class A\n  def go(x)\n    if x then File.delete(x) end\n  end\nend\nA.new.go('/a')",
			"def f(p)\n  while true do\n    return if p.nil?\n    break unless File.delete(p)\n  end\nend\nf('/a')",
			"f = ->(p) { File.delete p }; f.call('/a')",
			"f = ->(p) { File.delete p }; f.('/a')",
			"f = proc { |p| File.delete p }; f.call('/a')",
			"x = '/a'; File.delete x",
		},
		library.PHP: {
			"function f($p) { unlink($p); } f('/a');",
			"function f(int $q, string $p = '/a') { unlink($p); } f(1);",
			"$f = function($p) use ($q) { unlink($p); }; $f('/a');",
			"array_map(function($p) { unlink($p); }, ['/a']);",
			"array_map(fn($p) => unlink($p), ['/a']);",
			"class A { static function go($p) { unlink($p); } } A::go('/a');",
		},
		library.Lua: {
			"function f(p) os.remove(p) end f('/a')",
			"local function f(p)\n  if p then\n    for i = 1, 2 do os.remove(p) end\n  end\nend\nf('/a')",
			"local f = function(q, p) os.remove(p) end f(1, '/a')",
			"local M = {}\nfunction M.f(p) os.remove(p) end\nM.f('/a')",
		},
		library.R: {
			"f <- function(p) unlink(p); f('/a')",
			"f <- function(q, p = '/a') { unlink(p) }\nf(1)",
			"(function(p) unlink(p))('/a')",
			"(\\(p) unlink(p))('/a')",
			"sapply(c('/a'), function(p) unlink(p))",
		},
	} {
		for _, program := range programs {
			if got := said(Read(language, program)); !slices.Contains(got, "delete /a") {
				t.Errorf("%s: %s\n   does %q", language, program, got)
			}
		}
	}
}

// What a function is given does not change what its caller has under the same name.
func TestParametersEndWithTheirFunction(t *testing.T) {
	for language, program := range map[library.Language]string{
		library.Python: "import os\np = '/a'\ndef f(p): pass\nf('/b')\nos.remove(p)",
		library.PHP:    "$p = '/a'; function f($p) {} f('/b'); unlink($p);",
		library.Ruby:   "p = '/a'\ndef f(p)\nend\nf('/b')\nFile.delete(p)",
		library.Lua:    "local p = '/a' local function f(p) end f('/b') os.remove(p)",
	} {
		if got := said(Read(language, program)); !slices.Equal(got, []string{"delete /a"}) {
			t.Errorf("%s: %s\n   does %q", language, program, got)
		}
	}
}

// Functions without an end, or within each other, end.
func TestFunctionsAreBounded(t *testing.T) {
	for language, begin := range map[library.Language]string{library.Python: "def f(p=f()): f(p)\n", library.Perl: "sub f { f(f(@_)) }", library.Ruby: "def f(p = f)\n", library.PHP: "function f($p = f()) {", library.Lua: "function f(p)\n", library.R: "f <- function(p = f()) f("} {
		program := ""
		for range 2000 {
			program += begin
		}
		if got := unread(Read(language, program+" f(1)")); len(got) > 3 {
			t.Errorf("%s: more limits than there are: %q", language, got)
		}
	}
}
