package script

import "github.com/sluice-project/sluice/policy/program/script/lexer"

// Limits of what is read.
const (
	// MaxText is how many bytes of a program are read.
	MaxText = 256 << 10
	// MaxTokens is how many tokens of it are read.
	MaxTokens = lexer.MaxTokens
	// MaxDepth is how deep expressions may nest.
	MaxDepth = 64
	// MaxEval is how deep programs may nest that programs evaluate.
	MaxEval = 4
	// MaxUses is how many uses are returned.
	MaxUses = 1000
)
