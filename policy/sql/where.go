package sql

import (
	"slices"
	"strings"
)

// holdsForAll reports whether a condition holds for every row: WHERE true, 1=1,
// id = id, x OR 1=1. It ends with the statement or with the parenthesis that it is
// in.
func holdsForAll(tokens []token) bool {
	depth, start := 0, 0
	all := true // of the conditions since the last OR
	for i := 0; ; i++ {
		word, end := "", i >= len(tokens)
		if !end {
			word = tokens[i].upper
			switch word {
			case "(":
				depth++
			case ")":
				depth--
			}
			switch word {
			case "RETURNING", "ORDER", "LIMIT", "ALLOW":
				end = depth == 0
			}
		}
		if end = end || depth < 0; !end && (depth > 0 || word != "OR" && word != "AND") {
			continue
		}
		all = all && isTrue(tokens[start:min(i, len(tokens))])
		if (end || word == "OR") && all {
			return true
		}
		if end {
			return false
		}
		if word == "OR" {
			all = true
		}
		start = i + 1
	}
}

// holdsForNone reports whether a condition holds for no row. With NOT MATCHED BY
// SOURCE that means all of them.
func holdsForNone(tokens []token) bool {
	if len(tokens) == 1 {
		return tokens[0].upper == "FALSE" || tokens[0].upper == "0"
	}
	return len(tokens) == 3 && tokens[1].upper == "=" && isNumber(tokens[0].text) && isNumber(tokens[2].text) && tokens[0].text != tokens[2].text
}

// maxParens is how many parentheses around a condition are taken off.
const maxParens = 8

// isTrue reports whether one condition holds for every row.
func isTrue(tokens []token) bool {
	parens := 0
	for parens*2+1 < len(tokens) && tokens[parens].upper == "(" && tokens[len(tokens)-1-parens].upper == ")" {
		parens++
	}
	switch {
	case parens > maxParens: // nobody writes that to say something
		return true
	case parens > 0:
		return holdsForAll(tokens[1 : len(tokens)-1])
	}
	var words []string
	for _, t := range tokens[:min(8, len(tokens))] {
		words = append(words, strings.ToUpper(t.text))
	}
	switch len(words) {
	case 0:
		return false
	case 1:
		return words[0] == "TRUE" || isNumber(words[0]) && words[0] != "0"
	case 2:
		return words[0] == "NOT" && (words[1] == "FALSE" || words[1] == "0")
	}
	left, sign, right := words[0], strings.Join(words[1:len(words)-1], " "), words[len(words)-1]
	switch {
	case len(tokens) > 5:
		half := len(tokens) / 2 // t.id = t.id
		return len(tokens) < 10 && len(tokens)%2 == 1 && tokens[half].upper == "=" && slices.Equal(words[:half], words[half+1:])
	case sign == "=" || sign == "IS" || sign == "= =" || sign == "< = >" || sign == "> =" || sign == "< =":
		if left == right && len(words) <= 5 {
			return true
		}
		return sign == "> =" && isKeyName(left) && (right == "0" || right == "1")
	case sign == "LIKE" || sign == "ILIKE":
		return right == "%"
	case sign == "IS NOT" && right == "NULL":
		return isKeyName(left)
	case sign == ">" || sign == "< >" || sign == "! =" || sign == "> -":
		return isKeyName(left) && (right == "0" || right == "1" && sign == "> -" || right == "") || isNumber(left) && isNumber(right) && left != right || left != right && tokens[0].str && tokens[len(tokens)-1].str
	case sign == "<":
		return isNumber(left) && isNumber(right) && left != right
	}
	return false
}

// isKeyName reports whether a column is one that every row has a value in.
func isKeyName(name string) bool {
	switch name[strings.LastIndexByte(name, '.')+1:] {
	case "ID", "_ID", "ROWID", "CTID", "UUID", "PK":
		return true
	}
	return false
}

func isNumber(word string) bool {
	for i := range len(word) {
		if c := word[i]; c < '0' || c > '9' {
			return false
		}
	}
	return word != ""
}
