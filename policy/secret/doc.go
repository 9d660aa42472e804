// Package secret finds secrets in text and replaces them by placeholders that can
// be restored.
//
//	found := secret.Find(text) // what and where
//
//	redactor := secret.NewRedactor(key)
//	vault := secret.NewVault(secret.VaultOptions{})
//	redacted, _ := redactor.Redact(text, vault) // token=[secret:github-token:5f0c9a3d11e2b7c4]
//	restored, allKnown := vault.Restore(redacted)
//
// # What is found
//
// A secret is known by its own form (a token: AKIA..., ghp_..., a private key, a
// JWT) or by its context (a value: what a vendor's name or a word like password
// is assigned, the password in an address, on a command line, in a header). Each
// pattern is only half of a rule: what varies in a secret must look random, and
// samples from documentation, templates, variables, and what people write where a
// secret would stand are left alone. Where only a common word points at a value,
// the rules would rather miss a weak password than take a name, a hash or a
// number for a secret.
//
// What is not found: a secret that is encoded again, split over several strings,
// or stands alone without a form of its own; a password without a digit outside
// of an address.
//
// # Placeholders
//
// A placeholder is made of the name of a token's rule, or the word credential, and
// a keyed hash of the secret. So the same secret has the same placeholder in every
// position of every text, which keeps prompt caches valid, and redacting a text
// twice changes nothing. A [Vault] remembers the secrets of one exchange, and is
// filled from what came with it: agents send their history again and again, so
// nothing else has to be kept but the key. [Vault.Restore] says whether it knew all
// placeholders: one that it does not know, or that was cut or changed on the way,
// must never be written where a secret was.
//
// # Text in flight
//
// [Redactor.Rules] are the same rules for package text: a text that streams
// through them in any pieces has exactly the result that [Redactor.Redact] gives
// for the whole.
//
// # How it works
//
// All patterns are one automaton, which reads clean text at one table lookup for
// a byte. Only where one of them matches is it asked which, and the match checked
// by code: for its vendor, its shape, its entropy. Time is linear in the length of
// the text.
package secret
