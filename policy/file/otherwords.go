package file

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/internal/words"
)

// otherWords are what people write who know other programs.
var otherWords = map[string]string{
	"deny": "block", "forbid": "block", "reject": "block", "refuse": "block", "stop": "block", "prevent": "block", "drop": "block", "blocked": "block",
	"pass": "allow", "permit": "allow", "accept": "allow", "allowed": "allow", "ignore": "allow",
	"log": "annotate", "warn": "annotate", "note": "annotate", "audit": "annotate", "notify": "annotate", "record": "annotate",
	"confirm": "ask", "approve": "ask", "prompt": "ask", "mask": "redact", "hide": "redact", "replace": "rewrite", "change": "rewrite",
	"fail": "abort", "kill": "abort", "endturn": "end_turn", "end-turn": "end_turn", "unredact": "restore",
	"observe": "shadow", "dry-run": "shadow", "monitor": "shadow", "off": "disabled", "disable": "disabled", "on": "enforce", "enforced": "enforce", "enabled": "enforce",
	"if": "when", "condition": "when", "match": "when", "action": "then", "message": "reason", "description": "doc", "tests": "examples", "regex": "pattern", "regexp": "pattern",
	"command": "shell", "bash": "shell", "expect": "want", "expected": "want", "args": "arguments", "input": "arguments", "secrets": "secret",
}

// suggested says which of the known words was meant, or lists them.
func suggested(word string, known []string) string {
	if word == "hook" && slices.Contains(known, "judge") {
		return "write judge, which also stands for a hook"
	}
	list := words.Suggest(word, known)
	if meant := otherWords[strings.ToLower(word)]; slices.Contains(known, meant) && !strings.HasPrefix(list, "did you mean") {
		return "did you mean " + meant + "? " + list
	}
	return list
}
