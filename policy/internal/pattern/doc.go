// Package pattern is for regular expressions that are tested often and rarely match:
// words that every match contains are extracted once, and a text without them is
// ruled out before the expression runs. They can also be asked about texts of which
// parts are not known, see package partial.
package pattern
