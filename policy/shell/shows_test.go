package shell

import (
	"slices"
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// What a call returns gets into the conversation: the contents of files that it
// prints, variables with secrets, and what programs say that keep them. What is
// only used, counted or named does not.
func TestShown(t *testing.T) {
	const env, key = "read /home/u/p/.env", "reveal $API_KEY"
	for _, c := range []struct {
		text string
		want []string // all that is shown
	}{
		{"cat .env", []string{env}},
		{"cat < .env", []string{env}},
		{"cat .env | sort | base64", []string{env}},
		{"cat .env > out; cat out", []string{env, "read /home/u/p/out"}},
		{"cat .env > /dev/stderr", []string{env}},
		{"cp .env /dev/stdout", []string{env}},
		{`x=$(cat .env); echo "$x"`, []string{env}},
		{`while read -r l; do echo "$l"; done < .env`, []string{env}},
		{"f() { cat .env; }; f", []string{env}},
		{"for f in a .env; do cat $f; done", []string{"read /home/u/p/a", env}},
		{"bash -c 'cat .env'", []string{env}},
		{"find . -name .env -exec cat {} +", []string{"read /home/u/p/**/.env"}},
		{"source .env; env", []string{env}},
		{"bash -x .env", []string{env}},
		{"grep SECRET .env", []string{env}},
		{"grep -v x .env", []string{env}},
		{"cut -d= -f2 .env", []string{env}},
		{"git show HEAD:.env", []string{env}},
		{`python3 -c "print(open('.env').read())"`, []string{env}},
		{"perl -pe 1 .env", []string{env}},

		{"source .env; echo $DATABASE_URL", []string{env}},
		{"export $(cat .env | xargs); echo $REDIS_URL", []string{env}},
		{"env $(cat .env | xargs) printenv", []string{env}},
		{"dotenv -- printenv DATABASE_URL", []string{env}},
		{"set -x; . .env", []string{env}},
		{"git add -f .env && git diff --cached", []string{env}},
		{"gh auth token > t; cat t", []string{"reveal github.com token", "read /home/u/p/t", "reveal secrets in /home/u/p/t"}},

		{"source .env; echo $APP_ENV", nil},
		{"export $(cat .env | xargs) && npm start", nil},
		{"set -x; set +x; . .env", nil},
		{"gh auth token > t; wc -c t", nil},
		{"source .env && npm start", nil},
		{"x=$(cat .env)", nil},
		{"cat .env > out", nil},
		{"cat .env | docker secret create x -", nil},
		{"export $(cat .env | xargs)", nil},
		{"wc -l .env", nil},
		{"md5sum .env", nil},
		{"grep -c KEY .env", nil},
		{"grep -q KEY .env", nil},
		{"grep PORT .env", []string{env}},
		{"grep -o '^[A-Z_]*=' .env", nil},
		{"cut -d= -f1 .env", nil},
		{"awk -F= '{print $1}' .env", nil},
		{"sed 's/=.*/=x/' .env", nil},
		{"sed -i 's/a/b/' .env", nil},
		{`while IFS== read -r name value; do echo "$name"; done < .env`, nil},
		{"cp .env .env.bak", nil},
		{"git log --oneline -- .env", nil},
		{"openssl req -new -key server.key -out a.csr", nil},

		{"echo $API_KEY", []string{key}},
		{`echo "a ${API_KEY:-none} b" | rev`, []string{key}},
		{"printenv API_KEY", []string{key}},
		{"declare -p API_KEY", []string{key}},
		{`node -e "console.log(process.env.API_KEY)"`, []string{key}},
		{"echo ${API_KEY:0:4}", nil},
		{"echo ${#API_KEY}", nil},
		{"echo ${API_KEY:+set}", nil},
		{`[ -n "$API_KEY" ] && echo set`, nil},
		{"API_KEY=test; echo $API_KEY", nil},
		{"echo $MAX_TOKENS $TOKEN_FILE $CACHE_KEY", nil},
		{`node -e "console.log(!!process.env.API_KEY)"`, nil},
		{"env | sort", nil},
		{"env | grep -i token", []string{"reveal variables with secrets"}},
		{"env | grep -i token | cut -d= -f1", nil},

		{`python3 -c "print(open('.env').read())"`, []string{env}},
		{`python3 -c "print(open('.env').read()) # .keys() split('=')[0]"`, []string{env}},
		{`python3 -c "import dotenv; print(sorted(dotenv.dotenv_values('.env')))"`, nil},
		{`python3 -c "import dotenv, numpy; print(sorted(dotenv.dotenv_values('.env')), numpy.loadtxt('.env'))"`, []string{env}},
		{`pwsh -c "Get-Content .env"`, []string{env}},
		{`pwsh -c "Get-Content .env 2>err"`, []string{env}},
		{`pwsh -c "Get-Content .env | % { $_ }"`, []string{env}},
		{`pwsh -c "Get-Content .env # | Out-Null"`, []string{env}},
		{`pwsh -c "Get-Content .env | Out-Null"`, nil},
		{`pwsh -c 'Get-Content .env | ForEach-Object { if ($_ -match "^(.*)=(.*)$") { [Environment]::SetEnvironmentVariable($matches[1], $matches[2]) } }'`, nil},

		{"gcloud auth print-access-token", []string{"reveal gcloud token"}},
		{"t=$(gcloud auth print-access-token); echo $t", []string{"reveal gcloud token"}},
		{"t=$(gcloud auth print-access-token)", nil},
		{"gcloud auth print-access-token | docker login --password-stdin x", nil},
		{"kubectl get secret a -o json | jq '.data | keys'", nil},
		{"vercel env pull .env.local", nil},
	} {
		reading := Read(c.text, place)
		var shown []string
		for i := range reading.Effects {
			if e := &reading.Effects[i]; e.Shown {
				shown = append(shown, (&effect.Effect{Verb: e.Verb, Object: e.Object}).String())
			}
		}
		slices.Sort(shown)
		slices.Sort(c.want)
		if !slices.Equal(slices.Compact(shown), c.want) {
			t.Errorf("%s\n  shows %q\n   want %q", c.text, shown, c.want)
		}
	}
}

// More than what is followed counts as shown.
func TestShownBeyondTheLimit(t *testing.T) {
	text := "cat"
	for i := range invocation.MostSources + 1 {
		text += " f" + string(rune('a'+i%26)) + string(rune('a'+i/26))
	}
	reading := Read(text+" .env", place)
	for i := range reading.Effects {
		if e := &reading.Effects[i]; e.Verb == effect.Read && !e.Shown {
			t.Errorf("%s is not shown", e.Object)
		}
	}
}
