package settings

import (
	"fmt"
	"log/slog"
	"net/netip"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sluice-project/sluice/internal/words"
)

// value is one value as it was written, and what its meaning depends on.
type value struct {
	text string
	from origin
	// base is what relative paths are relative to: the directory of the file,
	// empty for variables and flags, which mean the working directory.
	base string
	// home is the user's home directory, empty if there is none.
	home string
}

// wrong says what is wrong with a value, as the predicate of a sentence about
// it, and what to do.
type wrong struct{ message, suggestion string }

func wrongf(suggestion, format string, args ...any) *wrong {
	return &wrong{fmt.Sprintf(format, args...), suggestion}
}

// anyText takes a text as it is.
func anyText(v value) (string, *wrong) { return v.text, nil }

// truth reads true or false.
func truth(v value) (bool, *wrong) {
	switch strings.ToLower(v.text) {
	case "true", "1":
		return true, nil
	case "false", "0":
		return false, nil
	}
	return false, wrongf("write true or false", "is %s", quote(v.text))
}

// word reads one of the known words.
func word[T ~string](known ...T) func(value) (T, *wrong) {
	return func(v value) (T, *wrong) {
		if slices.Contains(known, T(v.text)) {
			return T(v.text), nil
		}
		texts := make([]string, 0, len(known))
		for _, k := range known {
			texts = append(texts, string(k))
		}
		return "", wrongf(words.Suggest(v.text, texts), "is %s, which is not a valid value", quote(v.text))
	}
}

// level reads a level of logging.
func level(v value) (slog.Level, *wrong) {
	name, w := word("debug", "info", "warn", "error")(v)
	if w != nil {
		return 0, w
	}
	var l slog.Level
	if err := l.UnmarshalText([]byte(name)); err != nil {
		return 0, wrongf("", "is not a level")
	}
	return l, nil
}

// duration reads a time from least to most.
func duration(least, most time.Duration) func(value) (time.Duration, *wrong) {
	return func(v value) (time.Duration, *wrong) {
		if _, err := strconv.ParseFloat(v.text, 64); err == nil && v.text != "0" {
			return 0, wrongf("write "+v.text+"s for seconds", "has no unit")
		}
		d, err := time.ParseDuration(v.text)
		switch {
		case err != nil:
			return 0, wrongf("write a time like 10s, 500ms or 1m30s", "is %s, not a time", quote(v.text))
		case d < least:
			return 0, wrongf(fromTo(shortTime(least), shortTime(most)), "is %s, which is too short", shortTime(d))
		case d > most:
			return 0, wrongf(fromTo(shortTime(least), shortTime(most)), "is %s, which is too long", shortTime(d))
		}
		return d, nil
	}
}

func fromTo(least, most string) string { return "write something from " + least + " to " + most }

// shortTime writes a duration without the units that are zero: 10m, not 10m0s.
func shortTime(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// The units of sizes, the larger ones first.
var units = []struct {
	name  string
	bytes int64
}{
	{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10},
	{"GB", 1_000_000_000}, {"MB", 1_000_000}, {"KB", 1_000}, {"B", 1},
}

var sizePattern = regexp.MustCompile(`^(\d{1,15}) ?([A-Za-z]*)$`)

// size reads a number of bytes from least to most.
func size(least, most int64) func(value) (int64, *wrong) {
	return func(v value) (int64, *wrong) {
		m := sizePattern.FindStringSubmatch(v.text)
		if m == nil {
			return 0, wrongf("write a size like 32MiB, 500KB or a number of bytes", "is %s, not a size", quote(v.text))
		}
		n, err := strconv.ParseInt(m[1], 10, 64)
		if err != nil {
			return 0, wrongf(fromTo(shortSize(least), shortSize(most)), "is not a size")
		}
		factor := int64(1)
		if m[2] != "" {
			i := slices.IndexFunc(units, func(u struct {
				name  string
				bytes int64
			},
			) bool {
				return strings.EqualFold(u.name, m[2])
			})
			if i < 0 {
				return 0, wrongf("use B, KiB, MiB, GiB, KB, MB or GB", "has the unknown unit %s", quote(m[2]))
			}
			factor = units[i].bytes
		}
		switch {
		case n > most/factor:
			return 0, wrongf(fromTo(shortSize(least), shortSize(most)), "is %s, which is too large", quote(v.text))
		case n*factor < least:
			return 0, wrongf(fromTo(shortSize(least), shortSize(most)), "is %s, which is too small", quote(v.text))
		}
		return n * factor, nil
	}
}

// shortSize writes a size in the largest unit of which it is a whole number.
func shortSize(n int64) string {
	for _, u := range units {
		if n >= u.bytes && n%u.bytes == 0 {
			return strconv.FormatInt(n/u.bytes, 10) + u.name
		}
	}
	return strconv.FormatInt(n, 10)
}

// count reads a whole number from least to most.
func count(least, most int) func(value) (int, *wrong) {
	return func(v value) (int, *wrong) {
		n, err := strconv.Atoi(v.text)
		if err != nil || n < least || n > most {
			return 0, wrongf(fmt.Sprintf("write a whole number from %d to %d", least, most), "is %s", quote(v.text))
		}
		return n, nil
	}
}

// filename reads the name of a file or directory: ~ is the home directory, and
// relative names are relative to where they are written.
func filename(v value) (string, *wrong) {
	text := v.text
	if rest, ok := strings.CutPrefix(text, "~"); ok && (rest == "" || rest[0] == '/' || rest[0] == filepath.Separator) {
		if v.home == "" {
			return "", wrongf("write the whole path", "begins with ~, and there is no home directory")
		}
		return filepath.Join(v.home, rest), nil
	}
	if strings.ContainsRune(text, 0) {
		return "", wrongf("remove it", "has a zero byte in it")
	}
	if v.base != "" && text != "" && !filepath.IsAbs(text) {
		return filepath.Join(v.base, text), nil
	}
	return text, nil
}

// filenameOrDash reads a path, or - for standard output.
func filenameOrDash(v value) (string, *wrong) {
	if v.text == "-" {
		return v.text, nil
	}
	return filename(v)
}

var drive = regexp.MustCompile(`^[A-Za-z]:[\\/]`)

// absolute reads an absolute path on a client's machine, which may run another
// system.
func absolute(v value) (string, *wrong) {
	if v.text != "" && !strings.HasPrefix(v.text, "/") && !drive.MatchString(v.text) {
		return "", wrongf("write the whole path", "is %s, not an absolute path", quotePath(v.text))
	}
	return v.text, nil
}

// address reads host:port.
func address(v value) (string, *wrong) {
	host, port, ok := splitAddress(v.text)
	if !ok {
		suggestion := "write HOST:PORT, like 127.0.0.1:8484"
		if _, err := strconv.ParseUint(v.text, 10, 16); err == nil {
			suggestion = "write 127.0.0.1:" + v.text
		} else if _, err := netip.ParseAddr(v.text); err == nil {
			suggestion = "add a port: " + netip.AddrPortFrom(netip.MustParseAddr(v.text), 8484).String()
		}
		return "", wrongf(suggestion, "is %s, not an address to listen on", quote(v.text))
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return "", wrongf("write a number from 0 to 65535", "has the port %s", quote(port))
	}
	if _, err := netip.ParseAddr(host); err != nil && host != "" && !hostName.MatchString(host) {
		return "", wrongf("write 127.0.0.1:"+port, "has the host %s, which cannot be one", quote(host))
	}
	return v.text, nil
}

var hostName = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$`)

// splitAddress splits host:port, [host]:port.
func splitAddress(text string) (host, port string, ok bool) {
	colon := strings.LastIndexByte(text, ':')
	if colon < 0 {
		return "", "", false
	}
	host, port = text[:colon], text[colon+1:]
	if inner, bracket := strings.CutPrefix(host, "["); bracket {
		host, ok = strings.CutSuffix(inner, "]")
		return host, port, ok && strings.ContainsRune(host, ':')
	}
	return host, port, !strings.ContainsAny(host, ":[]")
}

// isLoopback reports whether only this machine can reach a host. Names other
// than localhost are not looked up: what they resolve to can change.
func isLoopback(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().IsLoopback()
	}
	return strings.EqualFold(host, "localhost")
}
