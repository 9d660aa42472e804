// Package syntax makes a tree of a program in JavaScript or TypeScript.
//
//	program, doubts := syntax.Parse(`fs.rmSync("/x")`, &steps)
//
// It never fails: what it does not expect it notes as a doubt and passes over, so that
// the rest is read nevertheless. Types are passed over. Tokens and nesting are bounded.
package syntax
