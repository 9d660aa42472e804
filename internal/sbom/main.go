package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"net/url"
	"os"
	"runtime/debug"
	"strings"
)

func main() {
	version := flag.String("version", "", "the version of the program, instead of the one recorded in it")
	out := flag.String("o", "", "the file to write; standard output without it")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "sbom: name one program: sbom [-version VERSION] [-o FILE] PROGRAM")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *version, *out); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func run(program, version, out string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return fmt.Errorf("read what %s was built from: %w", program, err)
	}
	content, err := os.ReadFile(program) //nolint:gosec // the user names the file
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(billOf(info, version, sha256.Sum256(content)), "", "  ")
	if err != nil {
		return err
	}
	text = append(text, '\n')
	if out == "" {
		_, err = os.Stdout.Write(text)
		return err
	}
	return os.WriteFile(out, text, 0o644) //nolint:gosec // a bill of materials is for everybody
}

// bill is the part of a CycloneDX document that is used.
type bill struct {
	Schema       string       `json:"$schema"`
	Format       string       `json:"bomFormat"`
	SpecVersion  string       `json:"specVersion"`
	Serial       string       `json:"serialNumber"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Ref     string `json:"bom-ref"`
	Type    string `json:"type"`
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	PURL    string `json:"purl"`
	Hashes  []hash `json:"hashes,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn"`
}

// billOf returns the bill of a program. It is deterministic: the serial number is
// derived from the program's hash.
func billOf(info *debug.BuildInfo, version string, sum [sha256.Size]byte) bill {
	if version == "" {
		version = info.Main.Version
	}
	program := component{
		Ref: purl(info.Main.Path, version), Type: "application", Name: info.Path, Version: version,
		PURL: purl(info.Main.Path, version), Hashes: []hash{{"SHA-256", hex.EncodeToString(sum[:])}},
	}
	id := sum
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80 // UUID version 8 (custom)
	b := bill{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", SpecVersion: "1.6", Version: 1,
		Serial:   fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", id[0:4], id[4:6], id[6:8], id[8:10], id[10:16]),
		Metadata: metadata{Component: program},
	}
	library := func(path, version string) {
		b.Components = append(b.Components, component{Ref: purl(path, version), Type: "library", Name: path, Version: version, PURL: purl(path, version)})
	}
	library("std", strings.TrimPrefix(info.GoVersion, "go"))
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		library(m.Path, m.Version)
	}
	all := dependency{Ref: program.Ref}
	for _, c := range b.Components {
		all.DependsOn = append(all.DependsOn, c.Ref)
	}
	b.Dependencies = []dependency{all}
	return b
}

// purl is the package URL of a module.
func purl(path, version string) string {
	if version == "" {
		return "pkg:golang/" + path
	}
	return "pkg:golang/" + path + "@" + url.PathEscape(version)
}
