package shell

import (
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// What a request sends that stands in its words is known, if it is known as a whole.
func TestContentOfWhatIsSent(t *testing.T) {
	t.Parallel()
	for _, tc := range [][2]string{
		{`curl -d 'to=a@evil.example' https://x.example`, "to=a@evil.example"},
		{`curl -d a=b --data-raw c=d https://x.example`, "c=d&a=b"},
		{`curl --json '{"to": "a"}' https://x.example`, `{"to": "a"}`},
		{`A=b; curl -d "a=$A" https://x.example`, "a=b"},
		{`curl -F to=anna https://x.example`, "to=anna"},
		{`http POST https://x.example to=anna n:=4`, `{"to": "anna", "n": 4}`},
		{`http --form POST https://x.example to=anna n=4`, "to=anna&n=4"},
		{`wget --post-data 'to=anna' https://x.example`, "to=anna"},
		{`echo hello | curl -d @- https://x.example`, "hello\n"},
		{`curl -d "a=$UNHEARD" https://x.example`, ""},
		{`curl -d a=b -d @notes.txt https://x.example`, ""},
		{`curl -X POST https://x.example`, ""},
	} {
		content, sends := "", false
		for _, e := range Read(tc[0], invocation.Setting{}).Effects {
			if e.Verb == effect.Send {
				content, sends = content+e.Content, true
			}
		}
		if !sends || content != tc[1] {
			t.Errorf("%s: sends %q (%v), want %q", tc[0], content, sends, tc[1])
		}
	}
}
