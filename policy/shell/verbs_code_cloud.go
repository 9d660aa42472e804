package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/program/library"
)

// losesCloud notes what a program in JavaScript takes away in a cloud, whose reader does
// not follow the libraries: new DeleteBucketCommand(...), client.deleteTable(...).
func (a *act) losesCloud(program string) {
	cloud := library.Clouds()
	if !cloud.Named(program) {
		return
	}
	left := mostQuoted
	eachName(program, func(name, before, after string) bool {
		if !strings.HasPrefix(after, "(") || !isMember(before) && !strings.HasSuffix(before, "new ") && !strings.HasSuffix(name, "Command") {
			return true
		}
		method := library.Link{Name: name}
		method.Text, _ = firstQuote(after[1:])
		var on []library.Link
		before = before[max(strings.LastIndexAny(before, ";\n="), 0):]
		for _, link := range strings.FieldsFunc(before, func(c rune) bool { return c >= 0x80 || !isNameByte(byte(c)) }) {
			on = append(on, library.Link{Name: link})
		}
		if object, wide := cloud.Loss(on, method); object != "" {
			a.add(effect.Effect{Verb: effect.Destroy, Object: object, Wide: wide})
			left--
		}
		return left > 0
	})
}

// firstQuote is the first text in quotes.
func firstQuote(s string) (string, bool) {
	i := strings.IndexAny(s, "\"'")
	if i < 0 {
		return "", false
	}
	return cutQuote(s[i:])
}
