package secret_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/secret"
)

// secrets are texts with one secret, which replaces the first @.
func secrets() []struct{ rule, text, secret string } {
	password := "Sommer" + "2031!kL"
	random := plains(16) + "7"
	return []struct{ rule, text, secret string }{
		{"aws-access-key", "aws configure set aws_access_key_id @", "AKIA" + uppers(16)},
		{"aws-access-key", `{"AccessKeyId":"@"}`, "ASIA" + uppers(16)},
		{"aws-secret-key", "aws_secret_access_key = @", base64s(40)},
		{"aws-secret-key", `export AWS_SECRET_ACCESS_KEY="@"`, base64s(40)},
		{"aws-secret-key", `"SecretAccessKey": "@",`, base64s(40)},
		{"aws-session-token", "AWS_SESSION_TOKEN=@\n", base64s(180)},
		{"gcp-api-key", "https://maps.example.com/api/js?key=@&v=3", "AIza" + urlSafe(35)},
		{"gcp-access-token", "Authorization: Bearer @", "ya29." + urlSafe(60)},
		{"gcp-oauth-secret", `"client_secret": "@"`, "GOCSPX-" + urlSafe(28)},
		{"azure-storage-key", "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=@;EndpointSuffix=core", base64s(86) + "=="},
		{"azure-shared-key", "Endpoint=sb://x.net/;SharedAccessKeyName=Root;SharedAccessKey=@", base64s(43) + "="},
		{"azure-sas-signature", "https://x.blob.core/c/b?sv=2024-11-04&sr=b&sig=@", plains(43) + "%3D"},
		{"digitalocean-token", "doctl auth init -t @", "dop_v1_" + hexes(64)},
		{"heroku-key", "HEROKU_API_KEY=@", uuid()},
		{"cloudflare-token", "CLOUDFLARE_API_TOKEN: @", urlSafe(40)},
		{"datadog-key", "DD_API_KEY=@ datadog-agent run", hexes(32)},
		{"datadog-key", "datadog_app_key: '@'", hexes(40)},
		{"newrelic-user-key", "NEW_RELIC=@", "NRAK-" + uppers(27)},
		{"newrelic-license", "NEW_RELIC_LICENSE_KEY=@", hexes(36) + "NRAL"},
		{"grafana-service-token", "curl -H 'Authorization: Bearer @'", "glsa_" + plains(32) + "_" + hexes(8)},
		{"databricks-token", `token = "@"`, "dapi" + hexes(32)},
		{"vault-token", "VAULT_TOKEN=@", "hvs." + urlSafe(90)},
		{"vault-legacy-token", "VAULT_TOKEN=@", "s." + plains(24)},
		{"terraform-token", "credentials { token = \"abcdefgh12ABCD.@\" }", "atlasv1." + urlSafe(64)},
		{"pulumi-token", "pulumi login @", "pul-" + hexes(40)},
		{"tailscale-key", "tailscale up --authkey @", "tskey-auth-" + plains(14) + "-" + plains(30)},
		{"planetscale-token", "pscale @", "pscale_tkn_" + urlSafe(43)},
		{"supabase-token", "SUPABASE_ACCESS_TOKEN=@", "sbp_" + hexes(40)},
		{"doppler-token", "doppler configure set token @", "dp.st.dev." + plains(43)},
		{"sentry-user-token", "auth.token=@", "sntryu_" + hexes(64)},

		{"github-token", "git clone https://x-access-token:@@github.com/o/r", "ghp_" + plains(36)},
		{"github-token", "GITHUB_TOKEN=@", "ghs_" + plains(36)},
		{"github-fine-grained-token", "gh auth login --with-token <<< @", "github_pat_" + plains(22) + "_" + plains(59)},
		{"gitlab-personal-token", "PRIVATE-TOKEN: @", "glpat-" + urlSafe(20)},
		{"gitlab-runner-token", "gitlab-runner register --token @", "glrt-" + urlSafe(20)},
		{"bitbucket-app-password", "git:@", "ATBB" + plains(32)},
		{"atlassian-token", "curl -u me:@", "ATATT3" + urlSafe(180)},
		{"npm-token", "//registry.npmjs.org/:_authToken=@", "npm_" + plains(36)},
		{"npmrc-token", "//npm.corp.example/:_authToken=@", uuid()},
		{"pypi-token", "[pypi]\nusername = __token__\npassword = @", "pypi-Ag" + urlSafe(120)},
		{"rubygems-key", ":rubygems_api_key: @", "rubygems_" + hexes(48)},
		{"docker-token", "docker login -u me -p @", "dckr_pat_" + urlSafe(27)},
		{"registry-login", `{"auths": {"r.example": {"auth": "@"}}}`, base64.StdEncoding.EncodeToString([]byte("robot:" + plains(24)))},
		{"circleci-token", "circleci setup --token @", "CCIPAT_" + plains(22) + "_" + hexes(40)},
		{"sonar-token", "sonar.login=@", "squ_" + hexes(40)},
		{"linear-key", "LINEAR=@", "lin_api_" + plains(40)},
		{"notion-token", "NOTION=@", "ntn_" + numbers(11) + plains(35)},
		{"airtable-token", "Bearer @", "pat" + plains(14) + "." + hexes(64)},
		{"figma-token", "X-Figma-Token: @", "figd_" + urlSafe(40)},
		{"codecov-token", "CODECOV_TOKEN=@ bash upload.sh", uuid()},

		{"anthropic-key", "ANTHROPIC_API_KEY=@", "sk-ant-api03-" + urlSafe(93) + "AA"},
		{"openai-key", "OPENAI_API_KEY='@'", "sk-proj-" + urlSafe(120)},
		{"openai-legacy-key", "openai.api_key = \"@\"", "sk-" + plains(20) + "T3BlbkFJ" + plains(20)},
		{"model-provider-key", "api_key: @", "sk-" + hexes(32)},
		{"openrouter-key", "OPENROUTER=@", "sk-or-v1-" + hexes(64)},
		{"huggingface-token", "huggingface-cli login --token @", "hf_" + letters(34)},
		{"groq-key", "GROQ=@", "gsk_" + plains(52)},
		{"xai-key", "XAI=@", "xai-" + plains(80)},
		{"replicate-token", "REPLICATE=@", "r8_" + plains(37)},
		{"langsmith-key", "LANGSMITH=@", "lsv2_pt_" + hexes(32) + "_" + hexes(10)},
		{"pinecone-key", "pc = Pinecone('@')", "pcsk_" + plains(6) + "_" + plains(63)},
		{"tavily-key", "tavily @", "tvly-dev-" + plains(32)},

		{"stripe-key", "stripe.api_key = '@'", "sk_live_" + plains(24)},
		{"stripe-key", "STRIPE=@", "rk_test_" + plains(99)},
		{"stripe-webhook-secret", "endpoint_secret = '@'", "whsec_" + plains(32)},
		{"square-secret", "square: @", "sq0csp-" + urlSafe(43)},
		{"shopify-token", "X-Shopify-Access-Token: @", "shpat_" + hexes(32)},
		{"plaid-secret", "PLAID_SECRET=@", hexes(30)},
		{"slack-token", "SLACK_BOT_TOKEN=@", "xoxb-" + numbers(12) + "-" + numbers(12) + "-" + plains(24)},
		{"slack-app-token", "app: @", "xapp-1-A" + uppers(10) + "-" + numbers(13) + "-" + hexes(64)},
		{"slack-webhook", "curl https://hooks.slack.com/services/@", "T" + uppers(9) + "/B" + uppers(10) + "/" + plains(24)},
		{"discord-webhook", "https://discord.com/api/webhooks/" + numbers(18) + "/@", urlSafe(68)},
		{"discord-bot-token", "client.login('@')", "MTA4" + plains(20) + "." + plains(6) + "." + urlSafe(38)},
		{"telegram-bot-token", "https://api.telegram.org/bot@/getMe", numbers(10) + ":AA" + urlSafe(33)},
		{"twilio-api-key", "twilio @", "SK" + hexes(32)},
		{"twilio-auth-token", "TWILIO_AUTH_TOKEN=@", hexes(32)},
		{"sendgrid-key", "SENDGRID=@", "SG." + urlSafe(22) + "." + urlSafe(43)},
		{"mailgun-key", "curl -s --user 'api:@'", "key-" + hexes(32)},
		{"mailchimp-key", "MAILCHIMP_API_KEY=@", hexes(32) + "-us14"},
		{"hubspot-token", "hubspot @", "pat-na1-" + uuid()},
		{"azure-client-secret", "AZURE_CLIENT_SECRET=abc@", "8Q~" + urlSafe(34)},

		{"private-key", "cat id_rsa\n@\n$", pem("RSA PRIVATE KEY")},
		{"private-key", "@", pem("OPENSSH PRIVATE KEY")},
		{"private-key", "@", pem("PRIVATE KEY")},
		{"private-key", `{"private_key": "@"}`, strings.ReplaceAll(pem("PRIVATE KEY"), "\n", `\n`)},
		{"private-key", "cut off: @", strings.TrimSuffix(pem("EC PRIVATE KEY"), "-----END EC PRIVATE KEY-----")},
		{"private-key", "@", "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,77C0\n\n" +
			lines(6) + "-----END RSA PRIVATE KEY-----"},
		{"pgp-private-key", "gpg --export-secret-keys\n@", "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n" + lines(9) +
			"=" + base64s(4) + "\n-----END PGP PRIVATE KEY BLOCK-----"},
		{"age-secret-key", "# public key: age1x\n@", "AGE-SECRET-KEY-1" + made("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)},
		{"wireguard-key", "[Interface]\nPrivateKey = @\n", base64s(43) + "="},
		{"jwt", "Cookie: session=@; Path=/", "eyJ" + urlSafe(33) + ".eyJ" + urlSafe(60) + "." + urlSafe(43)},
		{"hex-private-key", "PRIVATE_KEY=@", "0x" + hexes(64)},

		{"password", "DB_PASSWORD=@", password},
		{"password", `password: "@"`, password},
		{"password", `{"username": "root", "password": "@"}`, password},
		{"password", `{"content": "password = \"@\"\n"}`, password},
		{"password", "Server=db;User Id=sa;Password=@;Encrypt=yes", password},
		{"password", "PGPASSWORD=@ psql -h db", password},
		{"password", "smtp_pass: '@'", password},
		{"password", "const dbPassword: string = '@'", password},
		{"password", "$config['password'] = '@';", password},
		{"password", "admin.passphrase=>'@'", random},
		{"secret", "client_secret = \"@\"", plains(32) + "4"},
		{"secret", "SECRET_KEY_BASE=@", hexes(128)},
		{"token", "access_token=@&expires=1", plains(40)},
		{"token", `"refresh_token": "@"`, urlSafe(48)},
		{"api-key", "api_key: @", plains(32)},
		{"api-key", "X-Api-Key: @", hexes(40)},
		{"api-key", "apiKey = `@`", plains(39)},
		{"encryption-key", "ENCRYPTION_KEY=@", base64s(43) + "="},
		{"authorization-header", "curl -H 'Authorization: Bearer @' https://x", plains(40)},
		{"authorization-header", "Authorization: Basic @", base64.StdEncoding.EncodeToString([]byte("ops:" + plains(20)))},
		{"url-password", "DATABASE_URL=postgres://app:@@db.internal:5432/app", plains(16)},
		{"url-password", "mongodb+srv://app:@@cluster0.mongodb.net/", password},
		{"url-password", "redis://:@@cache:6379/0", plains(20)},
		{"url-password", "git remote add o https://ci:@@git.corp.example/r.git", plains(20)},
		{"login-password", "curl -u deploy:@ https://x", password},
		{"login-password", "sshpass -p '@' ssh root@h", password},
		{"command-line-secret", "tool login --password @", password},
		{"command-line-secret", "deploy --api-key \"@\"", plains(32)},
		{"netrc-password", "machine h login me password @\n", password},
		{"xml-secret", "<password>@</password>", password},
	}
}

func TestSecretsAreFound(t *testing.T) {
	t.Parallel()
	for _, tc := range secrets() {
		whole := strings.Replace(tc.text, "@", tc.secret, 1)
		found := secret.Find(whole)
		if len(found) != 1 || found[0].Rule != tc.rule || whole[found[0].Start:found[0].End] != tc.secret {
			t.Errorf("%s in %q: found %v", tc.rule, whole, found)
			for _, f := range found {
				t.Logf("  %s: %q", f.Rule, whole[f.Start:f.End])
			}
		}
	}
}
