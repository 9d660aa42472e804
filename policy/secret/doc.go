// Package secret finds secrets in text and replaces them with placeholders that
// can be restored.
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
// A secret is recognised by its own form (a token: AKIA..., ghp_..., a private
// key, a JWT) or by its context (a value: what is assigned to a vendor's name or
// a word like password, the password in a URL, on a command line, in a header). A
// pattern is only half of a rule: the variable part of a secret must look random,
// and samples from documentation, templates, variables, and dummy values are left
// alone. If only a common word points at a value, the rules prefer missing a weak
// password to taking a name, a hash or a number for a secret.
//
// What is not found: a secret that is encoded once more, split over several
// strings, or stands alone without a recognisable form; a password without a
// digit outside a URL.
//
// # Placeholders
//
// A placeholder consists of the name of a token's rule, or the word credential, and
// a keyed hash of the secret. So the same secret has the same placeholder
// everywhere, which keeps prompt caches valid, and redaction is idempotent. A
// [Vault] holds the secrets of one exchange, and is filled from what came with it:
// agents resend their history, so nothing but the key has to be stored.
// [Vault.Restore] reports whether it knew all placeholders: one that it does not
// know, or that was cut or changed on the way, must never be written where a secret
// was.
//
// # Streaming text
//
// [Redactor.Rules] are the same rules for package text: a text that streams
// through them in any pieces has exactly the result that [Redactor.Redact] gives
// for the whole.
//
// # How it works
//
// All patterns are compiled into one automaton, which reads clean text at one
// table lookup per byte. Only where one of them matches is it determined which,
// and the match checked by code: for its vendor, its shape, its entropy. Time is
// linear in the length of the text.
package secret
