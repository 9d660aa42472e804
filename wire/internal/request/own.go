package request

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/llm"
)

// The names of the dialects in errors and in Foreign.
const (
	Chat      = "openai-chat"
	Anthropic = "anthropic"
	Responses = "openai-responses"
	Gemini    = "gemini"
)

// owners says which dialects have an opaque block of a type. A type that is not listed
// belongs to the dialect that its JSON looks like.
func owners(blockType string) []string {
	switch blockType {
	case "image", "document", "search_result", "container_upload", "redacted_thinking", "fallback", "tool_reference":
		return []string{Anthropic}
	case "compaction":
		return []string{Anthropic, Responses}
	case "image_url", "file", "video_url", "annotations", "audio":
		return []string{Chat}
	case "input_audio":
		return []string{Chat, Responses}
	case "input_image", "input_file", "item_reference", "computer_screenshot":
		return []string{Responses}
	case "inlineData", "fileData":
		return []string{Gemini}
	}
	return nil
}

// Foreign reports whether blocks of a type are known to belong only to other dialects.
func Foreign(dialect, blockType string) bool {
	list := owners(blockType)
	return list != nil && !slices.Contains(list, dialect)
}

// IDs maps the call ids of one request to ids that a dialect accepts. The mapping is
// deterministic and injective, and valid ids stay unchanged. Calls and results without
// an id are paired by their order.
type IDs struct {
	// Limit is the maximum number of characters, 0 for no limit.
	Limit int
	// Strict allows only letters, digits, underscores and hyphens.
	Strict bool

	calls, results int
}

// Call returns the id of the next call.
func (i *IDs) Call(id string) string {
	if id == "" {
		i.calls++
		return numbered(i.calls)
	}
	return i.fit(id)
}

// Result returns the id of the call that the next result belongs to.
func (i *IDs) Result(id string) string {
	if id == "" {
		i.results++
		return numbered(i.results)
	}
	return i.fit(id)
}

func numbered(n int) string { return "call_sluice_" + strconv.Itoa(n) }

// The prefixes of mapped ids. An original id that has one of them is mapped too, so
// that ids cannot collide.
const (
	encoded = "call_sluice64_"
	hashed  = "call_sluice32_"
)

func (i *IDs) fit(id string) string {
	fits := (i.Limit == 0 || len(id) <= i.Limit) && (!i.Strict || IsPlain(id))
	if fits && !strings.HasPrefix(id, "call_sluice") {
		return id
	}
	if short := encoded + base64.RawURLEncoding.EncodeToString([]byte(id)); i.Limit == 0 || len(short) <= i.Limit {
		return short
	}
	sum := sha256.Sum256([]byte(id))
	return hashed + base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:])[:26]
}

// IsPlain reports whether an id has only letters, digits, underscores and hyphens.
func IsPlain(id string) bool {
	for j := range len(id) {
		switch c := id[j]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '-':
		default:
			return false
		}
	}
	return true
}

// Plain reports whether a tool is an ordinary function of the client, whatever its
// dialect calls it.
func Plain(t *llm.Tool) bool {
	return !t.Server && (t.Type == "" || t.Type == "function" || t.Type == "custom")
}

// IsFreeform reports whether a declared tool takes free text. The type custom means
// that only in dialects that send no schema with it.
func IsFreeform(t *llm.Tool) bool { return t.Type == "custom" && len(t.Schema) == 0 }

// FreeformSchema describes the object that free text is wrapped in, for dialects
// without free-form tools.
const FreeformSchema = `{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]}`

// EmptySchema is the schema of a tool without parameters.
const EmptySchema = `{"type":"object","properties":{}}`
