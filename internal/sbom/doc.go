// Command sbom writes the bill of materials of a built Go program: every module
// that is linked into it with its version, as a CycloneDX document.
//
//	go run ./internal/sbom -version 1.2.3 -o sluice.cdx.json dist/sluice
//
// It reads what the Go tool recorded in the program itself, so that the bill is
// of what is shipped and not of what a go.mod allows.
package main
