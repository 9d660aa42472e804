package project

import (
	"fmt"
	"testing"
)

func TestCompose(t *testing.T) {
	t.Parallel()

	for content, want := range map[string]string{
		"services:\n  a:\n    image: x\n": "[]",
		"services:\n  a:\n    volumes: ['/:/h', data:/d]\n    privileged: true\n    command: rm -rf /h\n": "[{[/:/h data:/d] [] true  [] [] [sh -c rm -rf /h]}]",
		"services:\n  a:\n    volumes:\n      - {type: bind, source: /, target: /h}\n":                    "[{[] [/] false  [] [] []}]",
		"services:\n  a: {pid: host, cap_add: [ALL], devices: ['/dev/sda']}\n":                            "[{[] [] false host [ALL] [/dev/sda] []}]",
		"services:\n  a:\n    command: rm -rf /h\n    entrypoint: [sh, -c]\n    volumes: ['/:/h']\n":      "[{[/:/h] [] false  [] [] [sh -c rm -rf /h]}]",
		"x-a: &a\n  privileged: true\nservices:\n  b:\n    <<: *a\n    volumes: [a:/b]\n":                 "[{[a:/b] [] true  [] [] []}]",
		"# privileged: true\nservices:\n  a:\n    image: x\n":                                             "[]",
		"a:\n  privileged: true\n":                              "[{[] [] true  [] [] []}]",
		"    privileged: true\n":                                "[{[] [] true  [] [] []}]",
		"      - /:/host\n":                                     "[{[/:/host] [] false  [] [] []}]",
		"services:\n  a:\n    privileged: true\n   bad: [\n":    "[{[] [] true  [] [] []}]",
		"services:\n  a:\n    volumes:\n      - ~:/h\n  b: [\n": "[{[~:/h] [] false  [] [] []}]",
	} {
		services, unknown := Compose(whole(content))
		if got := fmt.Sprint(services); got != want || unknown {
			t.Errorf("%q\n  has %s, unknown %v\n  want %s", content, got, unknown, want)
		}
	}
}

func TestTakesHost(t *testing.T) {
	t.Parallel()

	for manifest, want := range map[string]bool{
		"kind: Pod\nspec:\n  hostPID: true\n  containers:\n    - securityContext: {privileged: true}\n": true,
		"kind: Pod\nspec:\n  hostPID: true\n":                                                                                  false,
		"spec:\n  volumes:\n    - hostPath:\n        path: / # all\n":                                                          true,
		"spec:\n  volumes:\n    - hostPath: {path: /}\n  containers:\n    - volumeMounts: [{mountPath: /h, readOnly: true}]\n": false,
		"spec:\n  volumes:\n    - hostPath: {path: /var/log}\n":                                                                false,
		`{"spec":{"volumes":[{"hostPath":{"path":"/"}}]}}`:                                                                     true,
		"kind: A\n---\nspec:\n  volumes:\n    - hostPath: {path: /}\n":                                                         true,
		"{{ if .x }}\nspec:\n  volumes:\n    - hostPath:\n        path: /\n{{ end }}\n":                                        true,
		"# hostPath: {path: /}\nkind: Pod\n":                                                                                   false,
	} {
		if got := TakesHost(whole(manifest)); got != want {
			t.Errorf("%q takes the host: %v, want %v", manifest, got, want)
		}
	}
}
