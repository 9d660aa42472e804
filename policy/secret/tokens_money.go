package secret

// payments are the tokens of payments, shops and shipping.
var payments = []token{
	{"stripe-key", `\b(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{20,}\b`},
	{"stripe-webhook-secret", `\bwhsec_[A-Za-z0-9+/]{32,}={0,2}`},
	{"square-token", `\bsq0atp-[\w-]{22}`},
	{"square-secret", `\bsq0csp-[\w-]{43}`},
	{"square-access-token", `\b(EAAA[El][\w-]{59})` + runEnd},
	{"shopify-token", `\bshp(?:at|ca|pa|ss|ua|tka)_[0-9a-fA-F]{32}\b`},
	{"braintree-token", `\baccess_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[0-9a-f]{32}\b`},
	{"plaid-token", `\baccess-(?:sandbox|development|production)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`},
	{"razorpay-key", `\brzp_(?:live|test)_[A-Za-z0-9]{14}\b`},
	{"flutterwave-secret", `\bFLWSECK(?:_TEST)?-[0-9a-h]{32}-X\b`},
	{"mollie-key", `\b(?:live|test)_[A-Za-z0-9]{30}\b`},
	{"gocardless-token", `\b(?:live|sandbox)_[A-Za-z0-9_-]{40}\b`},
	{"lob-key", `\b(?:live|test)_[0-9a-f]{35}\b`},
	{"paddle-key", `\bpdl_(?:live|sdbx)_apikey_[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}\b`},
	{"polar-token", `\bpolar_(?:oat|pat|at_[uo])_[A-Za-z0-9]{32,}\b`},
	{"duffel-token", `\bduffel_(?:test|live)_[\w-]{43}`},
	{"easypost-key", `\bEZ[AT]K[A-Za-z0-9]{54}\b`},
	{"shippo-token", `\bshippo_(?:live|test)_[0-9a-f]{40}\b`},
	{"adyen-key", `\bAQE[a-z][A-Za-z0-9+/]{60,}={0,2}-[A-Za-z0-9+/]{40,}={0,2}-`},
	{"xendit-key", `\bxnd_(?:production|development)_[A-Za-z0-9]{40,}\b`},
	{"coinbase-key", `\borganizations/[0-9a-f-]{36}/apiKeys/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b`},
	{"extended-private-key", `\b[xyzt]prv[1-9A-HJ-NP-Za-km-z]{107,108}\b`},
}
