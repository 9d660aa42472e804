// Command sbom writes the bill of materials of a built Go program: every module
// that is linked into it with its version, as a CycloneDX document.
//
//	go run ./internal/sbom -version 1.2.3 -o sluice.cdx.json dist/sluice
//
// It reads the build information in the program itself, so that the bill lists what is
// shipped and not what go.mod allows.
package main
