package secret

import "strings"

// vendor is a secret without a form of its own that is known by the name that it
// is assigned to: the name has all words, and the value has the shape.
type vendor struct {
	name  string
	words []string
	shape shape
}

// shape reports whether a value can be a vendor's secret.
type shape func(value string) bool

func hexes(lengths ...int) shape  { return sized(isHex, lengths) }
func plains(lengths ...int) shape { return sized(isAlnum, lengths) }

// coded is base64 of either alphabet, with what pads it.
func coded(lengths ...int) shape {
	return sized(func(c byte) bool { return isAlnum(c) || strings.IndexByte("+/=_-", c) >= 0 }, lengths)
}

// around is base64 of either alphabet between two lengths.
func around(least, most int) shape {
	inner := coded()
	return func(value string) bool { return len(value) >= least && len(value) <= most && inner(value) }
}

func sized(set func(byte) bool, lengths []int) shape {
	return func(value string) bool {
		fits := len(lengths) == 0
		for _, n := range lengths {
			fits = fits || len(value) == n
		}
		for i := 0; fits && i < len(value); i++ {
			fits = set(value[i])
		}
		return fits
	}
}

func isAlnum(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' }

func words(w ...string) []string { return w }

// vendors are tried in order. The first word of each is a keyword that the
// pattern of assignments begins with; it should be too long to turn up in
// encoded data by chance.
var vendors = []vendor{
	{"aws-secret-key", words("secret", "access"), coded(40)},
	{"aws-secret-key", words("aws_", "secret"), coded(40)},
	{"aws-session-token", words("aws_", "session"), around(100, 2000)},
	{"aws-session-token", words("aws_", "security"), around(100, 2000)},
	{"azure-storage-key", words("accountkey"), coded(88)},
	{"azure-shared-key", words("sharedaccesskey"), coded(44, 88)},
	{"azure-devops-token", words("azure", "token"), plains(52, 84)},
	{"azure-devops-token", words("azure", "pat"), plains(52, 84)},
	{"azure-key", words("azure", "key"), plains(32, 52, 84)},
	{"ibm-cloud-key", words("ibm_", "key"), coded(44)},
	{"alibaba-secret", words("aliyun", "secret"), plains(30)},
	{"alibaba-secret", words("alibaba", "secret"), plains(30)},
	{"tencent-secret", words("tencent", "secret"), plains(32)},
	{"yandex-secret", words("yandex", "secret"), coded(40)},
	{"scaleway-secret", words("scw_", "secret"), isUUID},
	{"scaleway-secret", words("scaleway", "secret"), isUUID},
	{"linode-token", words("linode", "token"), hexes(64)},
	{"vultr-key", words("vultr", "key"), plains(36)},
	{"hetzner-token", words("hcloud", "token"), plains(64)},
	{"hetzner-token", words("hetzner", "token"), plains(64)},
	{"cloudflare-token", words("cloudflare", "token"), coded(40)},
	{"cloudflare-token", words("cf_api_token"), coded(40)},
	{"cloudflare-key", words("cloudflare", "key"), hexes(37)},
	{"fastly-token", words("fastly"), coded(32)},
	{"heroku-key", words("heroku"), isUUID},
	{"railway-token", words("railway", "token"), isUUID},
	{"vercel-legacy-token", words("vercel", "token"), plains(24)},
	{"netlify-legacy-token", words("netlify", "token"), coded(43)},
	{"upstash-token", words("upstash", "token"), around(40, 120)},
	{"confluent-secret", words("confluent", "secret"), coded(64)},
	{"elastic-key", words("elastic", "key"), around(40, 90)},
	{"algolia-key", words("algolia", "key"), hexes(32)},
	{"vault-legacy-token", words("vault", "token"), isLegacyVault},
	{"consul-token", words("consul", "token"), isUUID},
	{"nomad-token", words("nomad", "token"), isUUID},
	{"datadog-key", words("datadog"), hexes(32, 40)},
	{"datadog-key", words("dd_api_key"), hexes(32)},
	{"datadog-key", words("dd_app_key"), hexes(40)},
	{"newrelic-license", words("new_relic", "key"), hexlike(40)},
	{"newrelic-license", words("newrelic", "key"), hexlike(40)},
	{"pagerduty-token", words("pagerduty"), coded(20, 32)},
	{"opsgenie-key", words("opsgenie"), isUUID},
	{"rollbar-token", words("rollbar"), hexes(32)},
	{"sumologic-key", words("sumologic"), plains(64)},
	{"splunk-token", words("splunk", "token"), isUUID},
	{"logz-token", words("logzio", "token"), plains(32)},
	{"okta-token", words("okta_", "token"), coded(42)},
	{"auth0-secret", words("auth0", "secret"), coded(64)},
	{"wireguard-key", words("privatekey"), coded(44)},
	{"wireguard-key", words("presharedkey"), coded(44)},
	{"hex-private-key", words("private_key"), isHexKey},
	{"hex-private-key", words("privatekey"), isHexKey},

	{"npmrc-token", words("_authtoken"), around(20, 200)},
	{"npmrc-password", words("_auth"), isBasic}, // it is one of shortWords
	{"gitea-token", words("gitea", "token"), hexes(40)},
	{"forgejo-token", words("forgejo", "token"), hexes(40)},
	{"bitbucket-secret", words("bitbucket", "secret"), coded(32)},
	{"codecov-token", words("codecov"), isUUID},
	{"travis-token", words("travis", "token"), plains(22)},
	{"jenkins-token", words("jenkins", "token"), hexes(32, 34)},
	{"drone-token", words("drone", "token"), plains(32)},
	{"buildkite-agent-token", words("buildkite", "token"), plains(50)},
	{"snyk-legacy-token", words("snyk_"), isUUID},
	{"kubernetes-bootstrap-token", words("bootstrap", "token"), isBootstrapToken},
	{"ngrok-token", words("ngrok"), coded(49)},
	{"jira-token", words("jira_", "token"), plains(24)},
	{"trello-legacy-token", words("trello", "token"), hexes(64)},
	{"zendesk-token", words("zendesk"), plains(40)},
	{"sentry-legacy-token", words("sentry", "token"), hexes(64)},

	{"cohere-key", words("cohere"), plains(40)},
	{"cohere-key", words("co_api"), plains(40)},
	{"mistral-key", words("mistral", "key"), plains(32)},
	{"deepgram-key", words("deepgram"), hexes(40)},
	{"assemblyai-key", words("assemblyai"), hexes(32)},
	{"wandb-legacy-key", words("wandb", "key"), hexes(40)},
	{"serpapi-key", words("serpapi"), hexes(64)},
	{"exa-key", words("exa_api_key"), isUUID},
	{"azure-openai-key", words("openai", "key"), hexes(32)},

	{"twilio-auth-token", words("twilio"), hexes(32)},
	{"mailchimp-key", words("mailchimp"), isMailchimp},
	{"mailjet-key", words("mailjet"), hexes(32)},
	{"postmark-token", words("postmark"), isUUID},
	{"messagebird-key", words("messagebird"), plains(25)},
	{"vonage-secret", words("vonage", "secret"), plains(16)},
	{"nexmo-secret", words("nexmo", "secret"), plains(16)},
	{"pusher-secret", words("pusher", "secret"), hexes(20)},
	{"twitch-secret", words("twitch"), plains(30)},
	{"spotify-secret", words("spotify", "secret"), hexes(32)},
	{"twitter-secret", words("twitter", "secret"), plains(45, 50)},
	{"facebook-secret", words("facebook", "secret"), hexes(32)},
	{"linkedin-client-secret", words("linkedin", "secret"), plains(16)},
	{"paypal-secret", words("paypal", "secret"), coded(80)},
	{"plaid-secret", words("plaid", "secret"), hexes(30)},
	{"razorpay-secret", words("razorpay", "secret"), plains(24)},
	{"alchemy-key", words("alchemy"), coded(32)},
	{"infura-key", words("infura"), hexes(32)},
	{"etherscan-key", words("etherscan"), plains(34)},
	{"shodan-key", words("shodan"), plains(32)},
	{"virustotal-key", words("virustotal"), hexes(64)},
	{"mixpanel-secret", words("mixpanel", "secret"), hexes(32)},
	{"amplitude-secret", words("amplitude", "secret"), hexes(32)},
	{"dropbox-secret", words("dropbox", "secret"), plains(15)},
}

// hexlike is a key of New Relic: it ends in letters that are not hexadecimal
// digits.
func hexlike(length int) shape {
	inner := hexes()
	return func(value string) bool {
		return len(value) == length && inner(strings.TrimSuffix(value, "NRAL"))
	}
}

func isMailchimp(value string) bool {
	key, region, found := strings.Cut(value, "-us")
	return found && hexes(32)(key) && region != "" && len(region) < 3
}

// isLegacyVault: their form alone is that of a method's name.
func isLegacyVault(value string) bool {
	return strings.HasPrefix(value, "s.") && plains(24)(value[2:])
}

func isHexKey(value string) bool {
	return hexes(64)(strings.TrimPrefix(value, "0x"))
}

func isBootstrapToken(value string) bool {
	id, key, found := strings.Cut(value, ".")
	return found && plains(6)(id) && plains(16)(key)
}
