package call

import (
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
)

// shows reports whether a tool returns what is in the files that it reads: not
// one that lists or sends them, and not a search that returns names.
func (c *Call) shows() bool {
	if says(c.words, "naming") || says(c.words, "sending") {
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
