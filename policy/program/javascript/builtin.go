package javascript

import (
	"math"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
)

// known reports whether nothing of a value is unknown, as far as texts go.
func known(v value) bool {
	return v.kind != unknown && v.kind != either && !v.partial
}

// native calls something that the program did not make.
func (e *evaluator) native(path string, args []value) value {
	for i, a := range args {
		// The same for each of the values that a text may have.
		if a.kind == either && i < 3 && !isTool(path) {
			return e.each(a, func(a value) value {
				some := append([]value(nil), args...)
				some[i] = a
				return e.native(path, some)
			})
		}
	}
	if v, ok := e.code(path, args); ok {
		return v
	}
	if v, ok := e.builtin(path, args); ok {
		return v
	}
	if e.tool(path, args) {
		return value{}
	}
	if v, ok := e.described(path, args); ok {
		return v
	}
	for _, a := range args {
		if a.kind == native && a.text == "process.env" {
			e.use(library.Use{What: library.Env, Text: library.Environment, Known: true})
		}
	}
	root, _, _ := strings.Cut(path, ".")
	if strings.HasSuffix(path, ".?") {
		e.doubt(Dynamic)
	}
	if !isKnown(root) {
		e.doubt(Unseen)
		e.escapeAll(args)
		return e.foreign(path, args)
	}
	if root == "Object" || root == "Array" || root == "Symbol" || root == "module" {
		e.escapeAll(args)
	}
	for _, a := range args { // functions may be called; objects are only looked at
		if a.kind == function || a.kind == native && isTool(a.text) && root == "Promise" {
			e.escape(a)
		}
	}
	return value{}
}

// builtin computes a function that only computes.
func (e *evaluator) builtin(path string, args []value) (value, bool) {
	arg := func(i int) value {
		if i < len(args) {
			return args[i]
		}
		return value{kind: undefined}
	}
	switch path {
	case "Number", "parseInt", "parseFloat", "Number.parseInt", "Number.parseFloat", "BigInt":
		return numberFrom(path, args), true
	case "String.fromCharCode", "String.fromCodePoint":
		return e.fromCodes(args), true
	case "Promise.all", "Promise.allSettled", "Promise.any", "Promise.race", "Promise.resolve", "util.promisify", "Object.freeze", "Object.seal", "structuredClone", "util.callbackify", "Array.from":
		if path == "Array.from" && len(args) > 1 {
			all, ok := e.elements(arg(0), false)
			if arg(0).kind == record {
				if n := e.member(arg(0), "length"); n.kind == number {
					all, ok = e.emptyList(n.num).items().all, true
				}
			}
			return e.overList(value{kind: list, ref: &items{all: all, open: !ok, kept: e.branch}}, "map", args[1:]), true
		}
		if path == "Array.from" && arg(0).kind == text {
			return e.split(arg(0).text, []value{textValue("")}), !arg(0).partial
		}
		if path == "Array.from" || path == "structuredClone" {
			return e.copied(arg(0)), true
		}
		return arg(0), true
	case "Array.of", "Array":
		if n, ok := toNumber(arg(0)); ok && len(args) == 1 && path == "Array" && arg(0).kind == number {
			return e.emptyList(n), true
		}
		return e.newList(args), true
	case "Uint8Array", "Uint8Array.from":
		if arg(0).kind == list && len(args) == 1 {
			return e.copied(arg(0)), true
		}
		return e.buffer(args), true
	case "Uint8Array.of":
		return e.newList(args), true
	case "Object.assign":
		if arg(0).kind == record {
			for _, a := range args[1:] {
				if m := a.members(); a.kind == record && m != nil {
					for _, name := range m.names {
						e.keepMember(arg(0).members(), name)
					}
				}
				e.spreadInto(arg(0).members(), a)
			}
			return arg(0), true
		}
		e.escapeAll(args)
		return value{}, true
	case "Object.keys", "Object.values", "Object.entries", "Object.getOwnPropertyNames":
		return e.entries(path, arg(0)), true
	case "Object.fromEntries":
		return e.fromEntries(arg(0)), true
	case "Object.defineProperty":
		if arg(2).kind == record {
			k := e.toText(arg(1))
			e.setOn(arg(0), k.text, k.kind == text && !k.partial, e.member(arg(2), "value"), false)
			e.escape(arg(2))
			return arg(0), true
		}
	case "Math.floor", "Math.round", "Math.ceil", "Math.trunc", "Math.abs":
		x, ok := toNumber(arg(0))
		if !ok {
			return value{}, true
		}
		return numberValue(map[string]func(float64) float64{"Math.floor": math.Floor, "Math.round": func(x float64) float64 { return math.Floor(x + 0.5) }, "Math.ceil": math.Ceil, "Math.trunc": math.Trunc, "Math.abs": math.Abs}[path](x)), true
	}
	return value{}, false
}
