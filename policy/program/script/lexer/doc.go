// Package lexer cuts programs in Python, Perl, Ruby, PHP, Lua and R into tokens: the
// names, numbers, operators and texts of each language, with what is computed in a
// text, and with the bracket that closes each bracket.
//
//	tokens, more := lexer.Tokenize(library.Python, `print("a")`)
package lexer
