package shell

import (
	"strings"
	"testing"
)

// everyday are commands as agents give them all day.
var everyday = []struct{ name, text string }{
	{"status", "git status"},
	{"tests", "cd /repo && go test ./... 2>&1 | tail -20"},
	{"search", `rg -n "func \(r \*reader\)" --type go policy | head -50`},
	{"script", "npm run build"},
	{"list", "ls -la src/ && cat package.json"},
	{"find", `find . -name "*.ts" -not -path "./node_modules/*" | xargs grep -l useState`},
	{"commit", "git add -A && git commit -m \"$(cat <<'EOF'\nFix the reader\n\nIt reads.\nEOF\n)\""},
	{"loop", `for f in a.go b.go c.go; do gofmt -l "$f" || exit 1; done`},
	{"python", `python3 -c "import json; print(json.load(open('package.json'))['version'])"`},
	{"here-document of 4 KB", "cat > src/app.ts <<'EOF'\n" + strings.Repeat("export const a = (b: number) => { return b + 1; };\n", 80) + "EOF\n"},
}

func BenchmarkRead(b *testing.B) {
	for _, e := range everyday {
		b.Run(strings.ReplaceAll(e.name, " ", "-"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Read(e.text, place)
			}
		})
	}
}
