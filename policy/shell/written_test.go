package shell_test

import (
	"slices"
	"strings"
	"testing"
)

// What a program puts into a file is what runs when the file is run, whichever program that was.
func TestScriptsAreFollowedWhateverWroteThem(t *testing.T) {
	const harm = "rm -rf ~"
	patch := func(head, body string) string { return head + "\n" + body + "\n" }
	made := patch("--- /dev/null\n+++ b/x.sh", "@@ -0,0 +1,2 @@\n+#!/bin/sh\n+"+harm)
	changed := patch("--- a/x.sh\n+++ b/x.sh", "@@ -1 +1,2 @@\n echo\n-exit\n+"+harm)
	removed := patch("--- a/x.sh\n+++ /dev/null", "@@ -1 +0,0 @@\n-"+harm)
	writers := map[string]string{
		"git apply, a new file":        "git apply <<\"Q\"\n" + made + "Q",
		"git apply, a changed file":    "git apply - <<\"Q\"\n" + changed + "Q",
		"git apply, reversed":          "git apply -R <<\"Q\"\n" + removed + "Q",
		"git apply, from a file":       "cat > a.patch <<\"Q\"\n" + made + "Q\ngit apply a.patch",
		"git am":                       "git am <<\"Q\"\nFrom: a\n\n" + made + "Q",
		"patch":                        "patch -p1 <<\"Q\"\n" + changed + "Q",
		"patch, reversed":              "patch -R -p1 <<\"Q\"\n" + removed + "Q",
		"patch, from a file":           "cat > a.patch <<\"Q\"\n" + made + "Q\npatch -p1 -i a.patch",
		"patch, of a named file":       "patch x.sh <<\"Q\"\n" + changed + "Q",
		"patch of a known file":        "printf 'echo\\nexit\\n' > x.sh\npatch -p1 <<\"Q\"\n" + changed + "Q",
		"awk print":                    "awk 'BEGIN{print \"" + harm + "\" > \"x.sh\"}'",
		"awk print, in two":            "awk 'BEGIN{print \"cd /tmp\" > \"x.sh\"; print \"" + harm + "\" > \"x.sh\"}'",
		"awk print with a comma":       "awk 'BEGIN{print \"rm -rf\", \"~\" > \"x.sh\"}'",
		"awk printf":                   "awk 'BEGIN{printf \"" + harm + "\" >> \"x.sh\"}'",
		"sed i":                        "sed -i '1i " + harm + "' x.sh",
		"sed a with a backslash":       "sed -i '$a\\\n" + harm + "' x.sh",
		"sed c":                        "sed -i '/x/c\\" + harm + "' x.sh",
		"sed i of a known file":        "echo true > x.sh; sed -i '1i " + harm + "' x.sh",
		"ed":                           "printf 'a\\n" + harm + "\\n.\\nw\\n' | ed x.sh",
		"tee -a":                       "echo '" + harm + "' | tee -a x.sh",
		"dd":                           "echo '" + harm + "' | dd of=x.sh",
		"a copy of what was written":   "echo '" + harm + "' > a; cp a x.sh",
		"a patched file that is moved": "git apply <<\"Q\"\n" + strings.ReplaceAll(made, "x.sh", "y.sh") + "Q\nmv y.sh x.sh",
	}
	for name, writer := range writers {
		for _, run := range []string{"sh x.sh", "bash ./x.sh", "chmod +x x.sh && ./x.sh", ". ./x.sh"} {
			if got := effectsIn(writer + "\n" + run); !slices.Contains(got, "delete /home/u, and everything in it") {
				t.Errorf("%s, then %s: %q", name, run, got)
			}
		}
		if got := effectsIn(writer); slices.Contains(got, "delete /home/u, and everything in it") {
			t.Errorf("%s alone: %q", name, got)
		}
	}
}

// What else is in a file that a program only adds to stays unknown.
func TestAFileThatIsOnlyAddedToIsNotKnown(t *testing.T) {
	for _, writer := range []string{"sed -i '1i echo' x.sh", "echo true | tee -a x.sh", "patch -p1 <<\"Q\"\n--- a/x.sh\n+++ b/x.sh\n@@ -1 +1,2 @@\n a\n+true\nQ"} {
		if got := effectsIn(writer + "\nsh x.sh"); !slices.Contains(got, "run /home/u/project/x.sh") {
			t.Errorf("%s: %q", writer, got)
		}
	}
}

func TestAPatchThatTakesAFileAwayDeletesIt(t *testing.T) {
	got := effectsIn("git apply <<\"Q\"\n--- a/x.sh\n+++ /dev/null\n@@ -1 +0,0 @@\n-true\nQ")
	if want := []string{"delete /home/u/project/x.sh"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	got = effectsIn("git apply <<\"Q\"\ndiff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd\nQ")
	if !slices.Contains(got, "link /etc/passwd as /home/u/project/l") {
		t.Errorf("a link: %q", got)
	}
}
