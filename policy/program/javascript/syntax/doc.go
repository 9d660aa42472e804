// Package syntax makes a tree of a program in JavaScript or TypeScript.
//
//	program, doubts := syntax.Parse(`fs.rmSync("/x")`, &steps)
//
// It never fails: where the parser stops, the program is mended or what is there is taken
// out, with a doubt, so that the rest is read nevertheless. Types are passed over. Work and
// nesting are bounded.
package syntax
