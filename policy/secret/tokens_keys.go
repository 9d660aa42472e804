package secret

// A private key in armour is found by its head and the lines behind it, so that a
// key that was cut off is found as well, and prose about a head is passed over at
// the first short word. Line ends may be escaped as in a JSON or shell string.
const (
	newlines = `(?:\s|\\{1,2}[nrt])*`
	armoured = `(?:[A-Za-z0-9+/]{16,}={0,2}` + newlines + `)+(?:[A-Za-z0-9+/]{1,15}={0,2}` + newlines + `)?`
	headers  = `(?:[A-Z][A-Za-z]*-?[A-Za-z]*: [^\n\\]+` + newlines + `){0,3}`
)

// keys are private keys and signed tokens.
var keys = []token{
	{"private-key", `-----BEGIN (?:(?:RSA|DSA|EC|OPENSSH|ENCRYPTED|SSH2 ENCRYPTED|ANY) )?PRIVATE KEY-----` +
		newlines + headers + armoured + `(?:-----END [A-Z0-9 ]{0,20}PRIVATE KEY-----)?`},
	{"pgp-private-key", `-----BEGIN PGP PRIVATE KEY BLOCK-----` +
		newlines + headers + armoured + `(?:=[A-Za-z0-9+/]{4}` + newlines + `)?(?:-----END PGP PRIVATE KEY BLOCK-----)?`},
	{"putty-private-key", `\bPrivate-Lines: [0-9]{1,3}\r?\n((?:[A-Za-z0-9+/]{16,}={0,2}\r?\n?)+)`},
	{"private-key-in-base64", `\bLS0tLS1CRUdJTi(?:BSU0EgUFJJVkFURSBLRVkt|BFQyBQUklWQVRFIEtFWS0t|BQUklWQVRFIEtFWS0tLS0t|BPUEVOU1NIIFBSSVZBVEUg|BFTkNSWVBURUQgUFJJVkFU)[A-Za-z0-9+/]{40,}={0,2}`},
	{"age-secret-key", `\bAGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}\b`},
	{"age-plugin-key", `\bAGE-PLUGIN-[A-Z0-9-]{2,32}-1[02-9AC-HJ-NP-Z]{30,}\b`},
	{"jwt", `\beyJ[\w-]{14,}\.eyJ[\w-]{14,}\.[\w-]{20,}`},
	{"jwt-encrypted", `\beyJ[\w-]{14,}\.[\w-]*\.[\w-]{16,24}\.[\w-]{20,}\.[\w-]{22}\b`},
	{"jwk-private-part", `"d"\s{0,4}:\s{0,4}"([\w-]{43,})"`},
	{"pkcs12-in-base64", `\bMII[A-Za-z0-9+/]{3}IBAzCC[A-Za-z0-9+/\s]{100,}={0,2}`},
}
