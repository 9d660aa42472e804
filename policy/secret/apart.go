package secret

import (
	"slices"
	"strings"
)

// beginnings are those of tokens that no other text has in it by chance. What follows
// the ones of AWS has a fixed length.
var (
	beginnings = []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "npm_", "sk-ant-", "sk-proj-", "sk_live_", "rk_live_", "xoxb-", "xoxp-", "xoxa-", "AIza", "hf_", "dop_v1_", "pypi-Ag", "SG.", "shpat_", "lin_api_", "dckr_pat_", "eyJhbGciOi"}
	accessKeys = []string{"AKIA", "ASIA"}
)

// lengthOfAccessKey is that of a key of AWS.
const lengthOfAccessKey = 20

// Apart sets the tokens in an address apart from what they are glued to, so that
// [Find] sees them: what is only told to another machine needs no separators. It
// returns the text itself if there is nothing to set apart.
func Apart(text string) string {
	var cuts []int
	for _, b := range beginnings {
		cuts = appendGlued(cuts, text, b, 0)
	}
	for _, b := range accessKeys {
		cuts = appendGlued(cuts, text, b, lengthOfAccessKey)
	}
	slices.Sort(cuts)
	for _, at := range slices.Backward(slices.Compact(cuts)) {
		text = text[:at] + " " + text[at:]
	}
	return text
}

// mostGlued is how many places of one kind are looked at.
const mostGlued = 8

// appendGlued adds the places at which a token is glued to what is before it, or
// behind it if its length is fixed.
func appendGlued(cuts []int, text, beginning string, length int) []int {
	for end, n := len(text), 0; n < mostGlued; n++ {
		at := strings.LastIndex(text[:end], beginning)
		if at < 0 {
			break
		}
		if behind := at + length; length > 0 && behind < len(text) && isAlnum(text[behind]) {
			cuts = append(cuts, behind)
		}
		if at > 0 && (isAlnum(text[at-1]) || text[at-1] == '_') {
			cuts = append(cuts, at)
		}
		end = at
	}
	return cuts
}
