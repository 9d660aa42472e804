package secret_test

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/secret"
)

// clean are texts without a secret that look as if they had one, one in a line.
func clean() []string {
	sha1, sha256, md5 := hexes(40), hexes(64), hexes(32)
	return append(strings.Split(strings.TrimSpace(cleanLines), "\n"),
		// What has no secret in it but many random characters.
		"commit "+sha1, "git checkout "+sha1[:12], "Merge: "+sha1[:7]+" "+sha1[8:15],
		"sha256: "+sha256, sha256+"  dist/app.tar.gz", "md5sum "+md5, `"digest": "sha256:`+sha256+`"`,
		"FROM node:22@sha256:"+sha256, "docker://nginx:1.27@sha256:"+sha256,
		`"integrity": "sha512-`+base64s(86)+`=="`, `integrity="sha384-`+base64s(64)+`"`,
		"golang.org/x/text v0.14.0 h1:"+base64s(43)+"=",
		"id: "+uuid(), `"request_id": "`+uuid()+`"`, "token: "+uuid(), `"trace_id":"`+md5+`"`,
		"data:image/png;base64,iVBORw0KGgo"+base64s(400), "url(data:font/woff2;base64,d09GMgAB"+base64s(300)+")",
		"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI"+base64s(43)+" me@host", "ssh-rsa AAAAB3NzaC1yc2E"+base64s(300)+" me@host",
		pem("CERTIFICATE"), pem("PUBLIC KEY"), pem("RSA PUBLIC KEY"),
		"ETag: \""+md5+"\"", "If-None-Match: W/\""+sha1+"\"", "cache-key: npm-"+sha256, "X-Request-Id: "+uuid(),
		"app."+md5[:8]+".js", "chunk-"+strings.ToUpper(md5[:8])+".mjs", "/nix/store/"+lowers(32)+"-hello-2.12",
		`password_hash: "$2b$12$`+plains(53)+`"`, "token_sha256: "+sha256, "api_key_id: "+plains(20), "secret_version: "+md5,
		"access_token_hash="+sha256, "secret_arn: arn:aws:secretsmanager:eu-west-1:123456789012:secret:db-"+plains(6),
		"next_page_token: "+base64s(40), `"nextToken": "`+base64s(60)+`"`, `"pageToken":"`+urlSafe(40)+`"`,
		"public_key: "+base64s(44), `"kid": "`+plains(43)+`"`, "fingerprint SHA256:"+base64s(43),

		`"AWS::IAM::AccessKey": "`+hexes(16)+`"`, `"AggregationAuthorization": "`+hexes(16)+`"`, "--public-key "+base64s(200),
		`"credentialId": "`+plains(22)+`"`, `"nextForwardToken": "f/`+numbers(50)+`"`, `"lockToken": "`+uuid()+`"`,

		// Samples from public documentation.
		"aws_access_key_id = AKIA"+"IOSFODNN7EXAMPLE", "AKIA"+"I44QH8DHBEXAMPLE",
		"aws_secret_access_key = wJalrXUtnFEMI/"+"K7MDENG/bPxRfiCYEXAMPLEKEY",
		"sk_test_"+"4eC39HqLyjWDarjtT1zdp7dc", "sk_test_"+"BQokikJOvBiI2HlWgH4olfQ2",
		"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9l"+
			"IiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
		"AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1"+"OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
		"https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
		"Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==",
		"ghp_"+strings.Repeat("x", 36), "ghp_"+strings.Repeat("0", 36), "glpat-"+strings.Repeat("x", 20),
		"sk-ant-api03-"+strings.Repeat("x", 90)+"AA", "sk-proj-"+strings.Repeat("X", 48), "sk-"+strings.Repeat("abcd1234", 6),
		"AIza"+strings.Repeat("Sy", 17)+"A", "npm_"+strings.Repeat("1234567890", 4)[:36], "ghp_EXAMPLEexampleEXAMPLEexampleEXAMPLE1",
		"xoxb-your-token-goes-here-please", "xoxb-123456789012-123456789012-abcdefghijklmnopqrstuvwx",
		"SG.xxxxxxxxxxxxxxxxxxxxxx.yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy",
		"ghp_thisisnotarealtokenbutitlookslikeon",
		"sk-proj-this-is-a-name-in-kebab-case-that-goes-on-and-on-for-long",
		"The head is -----BEGIN RSA PRIVATE KEY----- and then the key follows.",
		"-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
		"-----BEGIN PRIVATE KEY-----\n<your key here>\n-----END PRIVATE KEY-----",
	)
}

const cleanLines = `
password: string
password: string;
password?: string | undefined
const password = req.body.password;
password = os.Getenv("API_KEY")
apiKey: process.env.OPENAI_API_KEY,
api_key=os.environ["OPENAI_API_KEY"],
api_key = os.environ.get("KEY_2")
token := strings.TrimPrefix(header, "Bearer ")
token = tokenizer.encode("hello 123 world")
export GITHUB_TOKEN=$(gh auth token)
export API_KEY=$MY_API_KEY_2
API_KEY=${API_KEY_V2}
API_KEY: ${{ secrets.API_KEY_1 }}
apiKey: {{ .Values.apiKey1 }}
password: <your-password-1>
password: "<PASSWORD1>"
password = "********"
password: ****1234
password=changeme123
password: "changeme1"
PASSWORD=password123
password: 'Password1!'
password: "P@ssw0rd1"
POSTGRES_PASSWORD: postgres16
MYSQL_ROOT_PASSWORD=root1234
password: "test1234"
password = "dummy-password-1"
password: 'admin123!'
secret: "my-secret-value-1"
secret = "your-secret-key-123"
client_secret: YOUR_CLIENT_SECRET_1
api_key: "YOUR_API_KEY_HERE_123"
api_key = "INSERT_KEY_2_HERE_PLEASE"
api_key: "xxxxxxxxxxxxxxxx1"
token: "abc123"
token: "1234567890"
token = "fake-token-for-tests-1"
"token": "test_token_12345"
max_tokens: 200000
"max_tokens": 8192,
"input_tokens":1821,"output_tokens":402
token_count = 1234567890
total_tokens=15999
tokens_per_second: 1.5e6
tokenizer: cl100k_base
tokenizer_path: /models/llama-3/tokenizer.json
token_type: bearer2
token_url: https://auth.example.com/oauth2/token
token_endpoint = "https://login.example.com/v2.0/token"
password_reset_timeout_days: 3
PasswordResetUrl = "https://example.com/reset/v2"
secretName: db-credentials-v2
secret_name: prod-db-2
secretKeyRef: my-app-secrets-v3
imagePullSecrets: regcred-2
credentials: ./service-account-2.json
credentials_file=/etc/app/credentials-2.json
private_key: /etc/ssl/private/server-1.key
private_key_path = "~/.ssh/id_ed25519"
ssh -i ~/.ssh/id_ed25519 root@10.0.0.1
secret_key_base: <%= ENV["SECRET_KEY_BASE_1"] %>
signingKey = crypto.createHash("sha256")
access_key = row["access_key_1"]
auth_key: v1.2.3-beta.4
session_key = f"session:{user_id}:v2"
app_key = "my-app-prod-eu-west-1"
PWD=/home/runner1/work
OLDPWD=/srv/app2/current
cd "$PWD" && make test1
passwd:x:0:0:root:/root:/bin/bash1
login: user1@example.com
if password == "hello world 123":
assert.equal(user.password, "s3cr3t-test-value")
Enter password (8-64 characters):
The password must contain 8 characters, 1 digit and 1 symbol.
the secret of 42 is that nobody knows it
Every token costs 0.00001 dollars.
curl -u $USER:$PASS https://example.com
curl -u user:pass https://example.com
curl -u "${USER}:${TOKEN1}" https://example.com
docker run -u 1000:1000 -p 8080:80 nginx
docker run --user 10001:10001 app
rsync -u host:/srv/data1/ ./data
git push -u origin feature/token-2
postgres://user:password@localhost:5432/db
postgres://postgres:postgres@db:5432/app
mysql://root:root@127.0.0.1:3306/test
redis://:${REDIS_PASSWORD}@cache:6379/0
postgresql://$DB_USER:$DB_PASS@$DB_HOST/app
mongodb://user:<password>@cluster0.example.net/
https://user:pass@example.com/
https://example.com:8080/path@2x.png
http://localhost:4873/@scope/pkg
https://user:***@example.com
amqp://guest:guest@rabbitmq:5672/
git@github.com:org/repo-2.git
ssh://git@example.com:2222/org/repo.git
npm i @types/node@20.11.5
"version": "7.24.0-beta.1+build.20240101"
resolved "https://registry.yarnpkg.com/lodash/-/lodash-4.17.21.tgz#679591c564c3bffaae8454cf0b3df370c3d6911c"
--token-file /run/secrets/token1
--password-stdin < pass1.txt
--api-key $API_KEY_1
--secret my-app-secret-2
--key value1
<password>changeme123</password>
<token>string1</token>
<apiKey>{{api_key_1}}</apiKey>
machine example.com login me password secret
"auth": "c29tZXRoaW5nMTIz"
"auth": "oauth2-device-code"
"d": "M10 10h4v4h-4z"
Authorization: Bearer <token1>
Authorization: Bearer ${TOKEN_1}
Authorization: Bearer YOUR_TOKEN_123456789
Authorization: token $GITHUB_TOKEN1
headers["Authorization"] = "Bearer " + token1
X-Api-Key: {api_key_1}
AKIA1234
eyJhbGciOi is how a JWT begins
sk-learn-contrib is a list of packages
the sk_live_ prefix marks live keys
hf_hub_download(repo_id="org/model-7b")
re_compile_pattern_1
test_ThisIsTheNameOfATestInCamelCase1
live_reload_of_the_development_server_2
s.requestBodySizeHistogram.Record(ctx, 1)
function r(e,t){var n=t.token||e.password;return n?n.length>8:null}
!function(e){var t={};function n(r){if(t[r])return t[r].exports;var o=t[r]={i:r,l:!1,exports:{}}}}
{"password":{"type":"string","minLength":8,"maxLength":128}}
password = Column(String(128), nullable=False)
password: z.string().min(8).max(100)
$table->string('password', 60);
<input type="password" id="password1" name="password">
token: CancellationToken2,
var secret = ByteArray(32)
secret: [u8; 32],
key_1 = hashlib.sha256(b"x").hexdigest()
`

func TestCleanTextIsClean(t *testing.T) {
	t.Parallel()
	for _, text := range clean() {
		for _, f := range secret.Find(text) {
			t.Errorf("%q: %s %q", text, f.Rule, text[f.Start:f.End])
		}
	}
	if n := len(clean()); n < 120 {
		t.Errorf("only %d texts", n)
	}
}
