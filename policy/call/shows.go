package call

import (
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
)

// naming are words of tools that say only that files are there.
var naming = set("list ls glob stat info exists metadata size tree watch upload attach send delete remove move rename copy diagnostics")

// shows reports whether a tool returns what is in the files that it reads: not
// one that lists or sends them, and not a search that returns names.
func (c *Call) shows() bool {
	var room [maxWords]string
	if anyOf(wordsOf(room[:0], c.doing), naming) || giving(c.doing) {
		return false
	}
	if !c.searching {
		return true
	}
	switch mode := c.outputMode(); {
	case mode == "" && c.Name == "Grep" && c.RawName == "Grep", mode != "" && mode != "content":
		return false
	}
	return true
}

// outputMode is what a search is asked to return, empty if that is not given.
func (c *Call) outputMode() string {
	if strings.IndexByte(c.Raw, '\\') >= 0 {
		return argumentsOf(c.Raw).first("outputmode")
	}
	raw, _, ok := jsonscan.Get(jsonscan.View(c.Raw), "output_mode")
	if !ok || len(raw) < 2 {
		return ""
	}
	return string(raw[1 : len(raw)-1])
}
