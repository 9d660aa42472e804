package secret_test

import (
	"fmt"
	"strings"

	"github.com/sluice-project/sluice/policy/secret"
	"github.com/sluice-project/sluice/policy/text"
)

func ExampleFind() {
	settings := "region = eu-west-1\nDB_PASSWORD=" + "Sommer2031" + "!kL\n"
	for _, f := range secret.Find(settings) {
		fmt.Println(f.Rule, len(settings[f.Start:f.End]), "bytes")
	}
	// Output:
	// password 13 bytes
}

func ExampleRedactor_Redact() {
	redactor := secret.NewRedactor([]byte("32 random bytes that stay the same"))
	vault := secret.NewVault(secret.VaultOptions{})
	settings := "DB_USER=app\nDB_PASSWORD=" + "Sommer2031" + "!kL\n"

	redacted, _ := redactor.Redact(settings, vault)
	fmt.Print(redacted)

	restored, allKnown := vault.Restore(redacted)
	fmt.Println(restored == settings, allKnown)
	// Output:
	// DB_USER=app
	// DB_PASSWORD=[secret:credential:e1658aae82162a85]
	// true true
}

func ExampleRedactor_Rules() {
	redactor := secret.NewRedactor([]byte("32 random bytes that stay the same"))
	chain, err := text.Compile(redactor.Rules()...)
	if err != nil {
		fmt.Println(err)
		return
	}
	stream := chain.NewStream(text.StreamOptions{})
	for _, piece := range []string{"The password: 'Som", "mer20", "31" + "!kL' is", " long."} {
		stream.WriteString(piece)
	}
	stream.End()
	var out strings.Builder
	for _, p := range stream.Pieces() {
		if p.Replaced {
			out.WriteString(p.Text)
		} else {
			out.WriteString("...")
		}
	}
	fmt.Println(out.String())
	// Output:
	// ...[secret:credential:e1658aae82162a85]...
}
