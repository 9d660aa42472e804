// Package partial compares texts of which parts are not known, as those of a shell
// command with variables in it: "prod-$X" begins with prod, whatever X is, and may
// be prod-db.
//
//	t := partial.New("prod-$X")
//	t.Begins("prod")    // Yes
//	t.Could("prod-db")  // true
//	t.Has("db")         // Open
package partial
