package settings_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway/settings"
)

// The secrets of these tests; none may be in anything that people are shown.
const (
	secretKey   = "slk_SecretSecretSecretKey1"
	secretToken = "TokenTokenTokenTokenToken2"
	secretValue = "sk-ant-ProviderProviderProvider3"
)

func mustNotShow(t *testing.T, what, text string) {
	t.Helper()
	for _, secret := range []string{secretKey, secretToken, secretValue, "hunter2"} {
		if strings.Contains(strings.ToLower(text), strings.ToLower(secret)) || strings.Contains(text, secret[4:]) {
			t.Errorf("%s shows %s:\n%s", what, secret, text)
		}
	}
}

func TestSettingsDoNotShowSecrets(t *testing.T) {
	t.Parallel()
	s := mustParse(t, settings.Sources{Environ: []string{home, "TOKEN=" + secretToken, "PROVIDER=" + secretValue, "CI=" + secretKey + "x"}}, `
keys:
  - {name: ada, key: `+secretKey+`}
  - {name: ci, key_env: CI}
admin: {token_env: TOKEN}
upstreams: {openai: {key_env: PROVIDER}}
`)
	mustNotShow(t, "Entries", fmt.Sprintf("%+v", s.Entries()))
	mustNotShow(t, "%v", fmt.Sprintf("%v %+v", *s, s))
	mustNotShow(t, "%#v", fmt.Sprintf("%#v", *s))
	data, err := json.Marshal(s) //nolint:musttag // what matters is what is not in it
	if err != nil {
		t.Fatal(err)
	}
	mustNotShow(t, "JSON", string(data))
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "settings", s, "token", s.Admin.Token)
	mustNotShow(t, "a log", log.String())
	for _, text := range []string{string(data), log.String()} {
		if !strings.Contains(text, "[hidden]") {
			t.Errorf("it does not say that something is hidden: %s", text)
		}
	}
	// fmt does not ask the methods of fields that are not exported.
	private := struct{ s settings.Secret }{s.Admin.Token}
	mustNotShow(t, "a private field", fmt.Sprintf("%v %+v %#v", private, private, private))
}

func TestAnEmptySecretIsTheZeroValue(t *testing.T) {
	t.Parallel()
	s := settings.NewSecret("")
	if s != (settings.Secret{}) || !s.Empty() || s.Reveal() != "" || s.String() != "" {
		t.Errorf("it is %#v", s)
	}
}

// People write secrets where they do not belong. Whatever the place, the
// message does not repeat them.
func TestProblemsDoNotShowSecrets(t *testing.T) {
	t.Parallel()
	places := []string{
		"%s: x\n", "%s\n", "- %s\n", "listen: %s\n", "listen: '127.0.0.1:%s'\n", "insecure: %s\n",
		"upstreams: {openai: %s}\n", "upstreams: {openai: 'https://%s@x.example'}\n", "upstreams: {openai: 'https://x.example/?key=%s'}\n",
		"upstreams: {openai: 'https://x.example/%%zz%s'}\n", "upstreams: {openai: {key_env: %s}}\n", "upstreams: {openai: {key: %s}}\n", "upstreams: {%s: x}\n",
		"policies: ['preset:%s']\n", "log: {level: %s}\n", "limits: {body: %s}\n", "limits: {idle: %s}\n", "limits: {streams: %s}\n", "keepalive: '%s s'\n",
		"keys: %s\n", "keys: [%s]\n", "keys: [{name: a, key: '%s!'}]\n", "keys: [{name: '%s !', sha256: 0}]\n", "keys: [{name: a, key_env: %s}]\n",
		"keys: [{name: a, sha256: %s}]\n", "keys: [{%s: a}]\n", "keys: [{name: '%s !', sha256: 9b4f0a4b8ad2c9a2d0c2f8f0b8b6a5c6e7d8091a2b3c4d5e6f708192a3b4c5d6}]\n",
		"admin: {token_env: %s}\n", "admin: {token: %s}\n", "admin: {hosts: ['%s/']}\n", "admin: %s\n", "forward: [%s]\n", "failure: {judge: %s}\n",
		"data: *%s\n", "data: !%s x\n", "data: &%s [x]\n", "data: [%s\n", "data: \"%s\\q\"\n", "%s: &a x\n%[1]s: *b\n",
	}
	for _, place := range places {
		for _, secret := range []string{secretKey, secretToken, secretValue} {
			_, err := settings.Parse(settings.Sources{Environ: []string{home}}, "f", fmt.Sprintf(place, secret))
			if err == nil {
				t.Errorf("there is no problem with %q", place)
				continue
			}
			mustNotShow(t, fmt.Sprintf("the problem of %q", place), err.Error())
		}
	}
	for _, variable := range []string{"SLUICE_KEYS=%s", "SLUICE_KEYS=%s=x", "SLUICE_KEYS=a=%s!", "SLUICE_UPSTREAM_OPENAI=%s", "SLUICE_UPSTREAM_OPENAI_KEY_ENV=%s", "SLUICE_ADMIN_TOKEN_ENV=%s"} {
		for _, secret := range []string{secretKey, secretToken, secretValue} {
			_, err := settings.Load(settings.Sources{Environ: []string{home, fmt.Sprintf(variable, secret)}})
			if err == nil {
				t.Errorf("there is no problem with %q", variable)
				continue
			}
			mustNotShow(t, fmt.Sprintf("the problem of %q", variable), err.Error())
		}
	}
}
