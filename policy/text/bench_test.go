package text_test

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/text"
)

// secrets are 50 patterns of the kind that people look for in model output.
var secrets = []string{
	`\bAKIA[0-9A-Z]{16}\b`, `\bASIA[0-9A-Z]{16}\b`, `\bghp_[A-Za-z0-9]{36}\b`, `\bgho_[A-Za-z0-9]{36}\b`,
	`\bghs_[A-Za-z0-9]{36}\b`, `\bgithub_pat_[A-Za-z0-9_]{22,82}\b`, `\bglpat-[A-Za-z0-9_-]{20,}`,
	`\bxox[abprs]-[A-Za-z0-9-]{10,60}`, `https://hooks\.slack\.com/services/T[A-Z0-9]{8,}/B[A-Z0-9]{8,}/[A-Za-z0-9]{24}`,
	`\bsk-[A-Za-z0-9]{20,}\b`, `\bsk-ant-[A-Za-z0-9_-]{20,}`, `\bsk-proj-[A-Za-z0-9_-]{20,}`, `\bAIza[0-9A-Za-z_-]{35}\b`,
	`\bya29\.[0-9A-Za-z_-]{20,}`, `\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}\b`, `\bkey-[0-9a-f]{32}\b`,
	`\bsq0atp-[0-9A-Za-z_-]{22}\b`, `\bsq0csp-[0-9A-Za-z_-]{43}\b`, `\brk_live_[0-9A-Za-z]{24}\b`, `\bsk_live_[0-9A-Za-z]{24,}\b`,
	`\bpk_live_[0-9A-Za-z]{24,}\b`, `\bwhsec_[0-9A-Za-z]{32}\b`, `\bAC[0-9a-f]{32}\b`, `\bSK[0-9a-f]{32}\b`,
	`\bdop_v1_[0-9a-f]{64}\b`, `\bhf_[A-Za-z]{34}\b`, `\bnpm_[A-Za-z0-9]{36}\b`, `\bpypi-[A-Za-z0-9_-]{50,}`,
	`\bshpat_[0-9a-f]{32}\b`, `\bshpss_[0-9a-f]{32}\b`, `\blin_api_[A-Za-z0-9]{40}\b`, `\bEAACEdEose0cBA[0-9A-Za-z]+`,
	`\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`,
	`-----BEGIN (?:RSA |EC |OPENSSH )?PRIVATE KEY-----(?s:.*?)-----END (?:RSA |EC |OPENSSH )?PRIVATE KEY-----`,
	`-----BEGIN PGP PRIVATE KEY BLOCK-----(?s:.*?)-----END PGP PRIVATE KEY BLOCK-----`,
	`(?i)\b(?:password|passwd|pwd)\s*[:=]\s*["'][^"'\n]{6,}["']`, `(?i)\bapi[_-]?key\s*[:=]\s*["'][^"'\n]{12,}["']`,
	`(?i)\bsecret[_-]?key\s*[:=]\s*["'][^"'\n]{12,}["']`, `(?i)\baccess[_-]?token\s*[:=]\s*["'][^"'\n]{12,}["']`,
	`(?i)\bauthorization:\s*bearer\s+[A-Za-z0-9._-]{16,}`, `(?i)\bauthorization:\s*basic\s+[A-Za-z0-9+/=]{12,}`,
	`\b(?:postgres|mysql|mongodb|redis|amqp)(?:\+srv)?://[^\s:@/]+:[^\s:@/]+@[^\s/]+`, `https?://[^\s:@/]+:[^\s:@/]+@[^\s/]+`,
	`\b[0-9]{3}-[0-9]{2}-[0-9]{4}\b`, `\b(?:4[0-9]{3}|5[1-5][0-9]{2})[ -]?[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{4}\b`,
	`\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){3,7}\b`, `\b[A-Za-z0-9._%+-]+@corp\.example\.com\b`, `\bv1\.0-[0-9a-f]{24}-[0-9a-f]{146}\b`,
	`\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b`, `\bops_eyJ[A-Za-z0-9+/=]{50,}`,
}

// prose is English and code without anything that the patterns look for.
const prose = `The gateway reads the answer block by block, and nothing leaves before it was judged. If a tool call
looks dangerous, the policy explains why and the model gets another chance; that is cheaper than an incident.

	func (q *queue) push(item Item) error {
		if len(q.items) >= q.limit { // full: tell the caller, never block
			return fmt.Errorf("queue: %d items, at most %d are allowed", len(q.items), q.limit)
		}
		q.items = append(q.items, item)
		return nil
	}

Run it with --config ./etc/gateway.yaml, then open http://localhost:8484/console/ in a browser. On 2024-11-03 we
measured 12,400 requests in 60 seconds (p99 = 41 ms). Ask skeptics first: "why would anyone need that?"
    SELECT id, created_at, status FROM exchanges WHERE session_id = $1 ORDER BY created_at DESC LIMIT 50;
    {"model": "small", "messages": [{"role": "user", "content": "Describe the weather in Lisbon, please."}]}
`

const dirty = `db: postgres://app:hunter22@db.internal:5432/app and a key AKIAABCDEFGHIJKLMNOP, mail ops@corp.example.com
`

// nearMisses begin like a match again and again.
const nearMisses = `sk-short ghp_tooShort AKIA1234 key-0123456789abcdef password = none https://user:pass/ xoxb-1 eyJhbGciOi.x 4111-1111-11
`

func repeat(s string, size int) []byte { return []byte(strings.Repeat(s, size/len(s)+1)[:size]) }

func secretsChain(b testing.TB) *text.Chain {
	b.Helper()
	chain, err := text.Compile(text.Rule{Name: "secrets", Patterns: secrets, Replacement: "[redacted]"})
	if err != nil {
		b.Fatal(err)
	}
	return chain
}

func stream(b *testing.B, chain *text.Chain, data []byte, size int) {
	b.Helper()
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		s := chain.NewStream(text.StreamOptions{})
		for at := 0; at < len(data); at += size {
			s.Write(data[at:min(len(data), at+size)])
			s.Pieces()
		}
		s.End()
		s.Pieces()
	}
}

func BenchmarkClean50Patterns(b *testing.B) {
	chain := secretsChain(b)
	rules := make([]text.Rule, len(secrets))
	for i := range rules {
		rules[i] = text.Rule{Patterns: secrets[i : i+1], Replacement: "[redacted]"}
	}
	many, err := text.Compile(rules...)
	if err != nil {
		b.Fatal(err)
	}
	data := repeat(prose, 1<<20)
	b.Run("pieces=64KiB", func(b *testing.B) { stream(b, chain, data, 1<<16) })
	b.Run("pieces=256", func(b *testing.B) { stream(b, chain, data, 256) })
	b.Run("pieces=16", func(b *testing.B) { stream(b, chain, data, 16) })
	b.Run("pieces=4", func(b *testing.B) { stream(b, chain, data, 4) })
	b.Run("rules=50/pieces=64KiB", func(b *testing.B) { stream(b, many, data, 1<<16) })
	b.Run("rules=50/pieces=4", func(b *testing.B) { stream(b, many, data, 4) })
}

func BenchmarkUnicode50Patterns(b *testing.B) {
	data := repeat("Ein Tor öffnet sich: 水門は言葉を読む。Ответ приходит по частям, и ничего не уходит раньше времени.\n", 1<<20)
	stream(b, secretsChain(b), data, 1<<16)
}

func BenchmarkDirty(b *testing.B) {
	chain := secretsChain(b)
	b.Run("dense", func(b *testing.B) { stream(b, chain, repeat(dirty, 1<<20), 1<<16) })
	b.Run("one-in-1200", func(b *testing.B) { stream(b, chain, repeat(prose+dirty, 1<<20), 1<<16) })
	b.Run("one-in-1200/pieces=4", func(b *testing.B) { stream(b, chain, repeat(prose+dirty, 1<<20), 4) })
}

func BenchmarkNearMisses(b *testing.B) {
	chain := secretsChain(b)
	b.Run("pieces=64KiB", func(b *testing.B) { stream(b, chain, repeat(nearMisses, 1<<20), 1<<16) })
	b.Run("pieces=4", func(b *testing.B) { stream(b, chain, repeat(nearMisses, 1<<20), 4) })
}

// A match that is in progress for a long time and never completes: the exact
// finders read along.
func BenchmarkLongHold(b *testing.B) {
	data := append([]byte("-----BEGIN PRIVATE KEY-----"), repeat(prose, 1<<20-64)...)
	stream(b, secretsChain(b), data, 1<<12)
}
