package javascript

import (
	"encoding/base64"
	"net/url"
	"strings"
)

// imported is what import(...) gives: a module by its name, or a program that
// stands in its address, data:text/javascript,... What is not known of such a
// program runs all the same.
func (e *evaluator) imported(v value) value {
	if v.kind != text {
		return e.requireValue(v)
	}
	kind, program, ok := strings.Cut(v.text, ",")
	if !ok || len(kind) < len("data:") || !strings.EqualFold(kind[:len("data:")], "data:") {
		return e.requireValue(v)
	}
	if v.partial {
		return e.eval(value{})
	}
	if strings.HasSuffix(strings.ToLower(kind), ";base64") {
		decoded, err := base64.StdEncoding.DecodeString(program)
		if err != nil {
			return e.eval(value{})
		}
		return e.eval(textValue(string(decoded)))
	}
	if plain, err := url.PathUnescape(program); err == nil {
		program = plain
	}
	return e.eval(textValue(program))
}
