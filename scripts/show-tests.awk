# Turns the output of `go test -json` into what a person wants to read: one line for each package, the
# output of failed tests, and build errors. Works on one JSON object per line; a quote inside a value is
# escaped, so `"Name":"` can only be a field.

function field(name,    start, rest, i, c) {
	start = index($0, "\"" name "\":\"")
	if (!start) return ""
	rest = substr($0, start + length(name) + 4)
	for (i = 1; i <= length(rest); i++) {
		c = substr(rest, i, 1)
		if (c == "\\") i++
		else if (c == "\"") return substr(rest, 1, i - 1)
	}
	return ""
}

function plain(text) {
	gsub(/\\\\/, "\001", text)
	gsub(/\\n/, "\n", text)
	gsub(/\\t/, "\t", text)
	gsub(/\\r/, "\r", text)
	gsub(/\\"/, "\"", text)
	gsub(/\\u003c/, "<", text)
	gsub(/\\u003e/, ">", text)
	gsub(/\\u0026/, "\\&", text)
	gsub(/\001/, "\\", text)
	return text
}

!/^\{/ { print; next }

{
	action = field("Action")
	test = field("Test")
	key = field("Package") " " test
}

action == "build-output" { printf "%s", plain(field("Output")); next }

action == "output" && test == "" {
	text = field("Output")
	if (text != "PASS\\n") printf "%s", plain(text)
	next
}

action == "output" { held[key] = held[key] plain(field("Output")); next }

action == "fail" && test != "" { printf "%s", held[key]; delete held[key]; next }

(action == "pass" || action == "skip") && test != "" { delete held[key]; next }

# A package that ends in failure may leave tests without an end: show what they said.
action == "fail" {
	for (k in held) {
		if (index(k, field("Package") " ") == 1) { printf "%s", held[k]; delete held[k] }
	}
}
