// Package sql reads the statements that databases are given and says what they
// would do: which tables, rows and databases are lost, which files of the
// database's machine are read and written, which commands are run there, who gains
// rights, and whose passwords are shown.
//
//	r := sql.Read("DELETE FROM users WHERE 1 = 1", sql.Standard)
//	// r.Effects: drop "rows of users", wide
//
// [Read] takes SQL together with the commands of the usual clients (\copy, \!,
// .shell, GO). [MongoScript], [MongoCommand], [Redis] and [Lost] do the same for
// stores with languages of their own. A [Store] is where the data lies, as far as
// anybody said; it tells data that was made for tests from data that others use.
//
// The package knows neither shells nor programs. Paths are as written, commands are
// returned as [Code] for whoever can read them, and which client program takes SQL
// in which option is the business of the caller.
//
// # Doubt and bounds
//
// Dialects disagree about what is a comment and what is a string. A caller that
// does not know the dialect reads the text in all of [Dialects]. Tokens, nesting
// and effects are bounded, and a text beyond the bounds is one that drops "more
// than can be read".
package sql
