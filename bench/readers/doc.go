// Package readers lets real client libraries read answers, and says which
// calls a program on such a library would get and act on.
//
// A [Reader] is one library: for JavaScript openai-node, the AI SDK,
// anthropic-sdk-typescript and js-genai, for Python openai-python,
// anthropic-sdk-python and python-genai. Each runs as a process of its own that
// is started once and reads many answers (js/, python/). No network is
// involved: the library's own HTTP transport hands it the bytes. An answer is
// read in every way that the library offers for its dialect: events as they
// come, the helpers that gather them, the whole response, tools that the
// library executes itself. A [Call] says where it was found.
//
// Two readers are written here in Go (items.go): what Codex does with a
// response, which is not a library, and a credulous program that keeps what the
// first event of an item says.
//
// A library that fails is an outcome like any other: [Reading.Error] says how,
// and the calls that it handed out before it failed still count. A process that
// dies or hangs is not: then [Reader.Read] fails.
//
// scripts/readers-setup.sh installs the libraries in pinned versions, and
// SLUICE_READERS names the directory where they are.
package readers
