package celfunc

import (
	"regexp"
	"strings"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// mostText is the longest text that a function may produce.
const mostText = 8 << 20

// mostPattern is the longest pattern of a call that is compiled.
const mostPattern = 1 << 10

// Finds searches a text for a pattern of a call, as pgrep and pkill do: an extended
// regular expression that ignores case. A pattern that is not a valid one, or is too
// long, is searched for literally.
func Finds(pattern, in ref.Val) ref.Val {
	p, isPattern := pattern.(types.String)
	text, isText := in.(types.String)
	if !isPattern || !isText {
		return types.NoSuchOverloadErr()
	}
	written := strings.TrimLeft(string(p), "*+?")
	if len(written) <= mostPattern {
		if expression, err := regexp.Compile("(?i)" + written); err == nil {
			return types.Bool(expression.MatchString(string(text)))
		}
	}
	return types.Bool(strings.Contains(strings.ToLower(string(text)), strings.ToLower(written)))
}

var errTooLong = types.NewErr("the text would be longer than %d MiB", mostText>>20)

// Replace is replace of CEL's strings extension with a limit on what it makes: CEL counts its
// cost only afterwards.
func Replace(args ...ref.Val) ref.Val {
	text, isText := args[0].(types.String)
	old, isOld := args[1].(types.String)
	by, isNew := args[2].(types.String)
	if !isText || !isOld || !isNew {
		return types.NoSuchOverloadErr()
	}
	n := -1
	if len(args) == 4 {
		limit, isInt := args[3].(types.Int)
		if !isInt {
			return types.NoSuchOverloadErr()
		}
		n = int(limit)
	}
	count := strings.Count(string(text), string(old))
	if n >= 0 && n < count {
		count = n
	}
	if grow := len(by) - len(old); grow > 0 && (len(text) > mostText || count > (mostText-len(text))/grow) {
		return errTooLong
	}
	return types.String(strings.Replace(string(text), string(old), string(by), n))
}

// Join is join of that extension, with the same limit.
func Join(list, separator ref.Val) ref.Val {
	l, isList := list.(traits.Lister)
	sep, isText := separator.(types.String)
	if !isList || !isText {
		return types.NoSuchOverloadErr()
	}
	var b strings.Builder
	first := true
	for it := l.Iterator(); it.HasNext() == types.True; {
		s, ok := it.Next().(types.String)
		if !ok {
			return types.NewErr("join needs a list of strings")
		}
		if !first {
			b.WriteString(string(sep))
		}
		first = false
		b.WriteString(string(s))
		if b.Len() > mostText {
			return errTooLong
		}
	}
	return types.String(b.String())
}
