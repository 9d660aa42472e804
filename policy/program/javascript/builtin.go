package javascript

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/policy/program/javascript/syntax"
	"github.com/sluice-project/sluice/policy/program/library"
)

// known reports whether nothing of a value is unknown, as far as texts go.
func known(v value) bool {
	return v.kind != unknown && v.kind != either && !v.partial
}

// native calls something that the program did not make.
func (e *evaluator) native(path string, args []value) value {
	if slices.Contains(e.prints, path) {
		e.out.Uses = append(e.out.Uses, e.about(library.Print, e.join(&cell{all: args}, textValue(" "))))
	}
	if first := args[:min(len(args), 3)]; slices.ContainsFunc(first, isEither) && !isTool(path) {
		return e.eachOf(first, func(first []value) value { return e.native(path, slices.Concat(first, args[len(first):])) })
	}
	if v, ok := e.computed(path, args); ok {
		return v
	}
	if e.tool(path, args) {
		return value{}
	}
	if v, ok := e.described(path, args); ok {
		return v
	}
	for _, a := range args {
		e.showsEnvironment(a)
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

// computes are functions that only compute, and those that make code or lead to it.
var computes = map[string]func(e *evaluator, path string, args []value) value{
	"String.fromCharCode": (*evaluator).fromCodes, "String.fromCodePoint": (*evaluator).fromCodes,
	"Number": toNumeral, "parseInt": toNumeral, "parseFloat": toNumeral, "Number.parseInt": toNumeral, "Number.parseFloat": toNumeral, "BigInt": toNumeral,
	"Object.keys": (*evaluator).entries, "Object.values": (*evaluator).entries, "Object.entries": (*evaluator).entries, "Object.getOwnPropertyNames": (*evaluator).entries,
	"Object.fromEntries": func(e *evaluator, _ string, args []value) value { return e.fromEntries(arg(args, 0)) },
	"Object.assign":      (*evaluator).assignAll,
	"Array.from":         (*evaluator).arrayFrom, "structuredClone": (*evaluator).arrayFrom,
	"Array.of": func(e *evaluator, _ string, args []value) value { return e.newList(args) }, "Uint8Array.of": func(e *evaluator, _ string, args []value) value { return e.newList(args) },
	"Array": func(e *evaluator, _ string, args []value) value {
		if len(args) == 1 && args[0].kind == number {
			return e.emptyList(args[0].num)
		}
		return e.newList(args)
	},
	"Uint8Array": (*evaluator).byteList, "Uint8Array.from": (*evaluator).byteList,
	"Math.floor": rounds(math.Floor), "Math.ceil": rounds(math.Ceil), "Math.trunc": rounds(math.Trunc), "Math.abs": rounds(math.Abs), "Math.round": rounds(func(x float64) float64 { return math.Floor(x + 0.5) }),

	"eval": (*evaluator).evalArg, "vm.runInThisContext": (*evaluator).evalArg, "vm.runInNewContext": (*evaluator).evalArg, "vm.runInContext": (*evaluator).evalArg, "vm.Script": (*evaluator).evalArg, "vm.compileFunction": (*evaluator).evalArg,
	"Function": (*evaluator).newFunction, "AsyncFunction": (*evaluator).newFunction,
	"require": (*evaluator).requires, "process.mainModule.require": (*evaluator).requires, "module.require": (*evaluator).requires, "process.getBuiltinModule": (*evaluator).requires, "process.binding": (*evaluator).requires,
	"module.createRequire":  func(*evaluator, string, []value) value { return nativeValue("require") },
	"Object.getPrototypeOf": func(*evaluator, string, []value) value { return nativeValue("Function.prototype") }, "Reflect.getPrototypeOf": func(*evaluator, string, []value) value { return nativeValue("Function.prototype") },
}

// computed is a call that only computes, or that makes code; it reports false for others.
func (e *evaluator) computed(path string, args []value) (value, bool) {
	if f := e.computes[path]; f != nil {
		return f(e, path, args), true
	}
	switch {
	case slices.Contains(timers, path) && arg(args, 0).kind == text:
		e.eval(args[0])
		return value{}, true
	case path == "Reflect.get" && len(args) > 1:
		return e.at(args[0], args[1]), true
	case path == "Reflect.apply" && len(args) > 2:
		v, _ := e.functionMethod(args[0], "apply", args[1:])
		return v, true
	case path == "Object.defineProperty" && arg(args, 2).kind == record:
		k, known := e.toText(args[1]).whole()
		e.setOn(args[0], k, known, e.member(args[2], "value"), false)
		e.escape(args[2])
		return args[0], true
	case strings.HasSuffix(path, "._load"):
		return e.requires(path, args), true
	case strings.HasPrefix(path, "Reflect"), strings.HasPrefix(path, "Proxy"), path == global+".?", path == "worker_threads.Worker", path == "Object.setPrototypeOf":
		e.doubt(syntax.Reach)
		e.escapeAll(args)
		return value{}, true
	}
	return value{}, false
}

// timers are functions that run a text later.
var timers = []string{"setTimeout", "setInterval", "setImmediate", "queueMicrotask"}

func rounds(f func(float64) float64) func(*evaluator, string, []value) value {
	return func(_ *evaluator, _ string, args []value) value {
		if x, ok := toNumber(arg(args, 0)); ok {
			return numberValue(f(x))
		}
		return value{}
	}
}

// toNumeral is Number, parseInt and their relatives.
func toNumeral(_ *evaluator, path string, args []value) value {
	v := arg(args, 0)
	if !strings.Contains(path, "parse") {
		if x, ok := toNumber(v); ok && len(args) > 0 {
			return numberValue(x)
		}
		return value{}
	}
	if v.kind == number && strings.HasSuffix(path, "parseInt") {
		return numberValue(math.Trunc(v.num))
	}
	base, ok := whole(args, 1, 10)
	s, known := v.whole()
	if n, err := strconv.ParseInt(strings.TrimSpace(s), base, 64); ok && known && base > 1 && err == nil {
		return numberValue(float64(n))
	}
	return value{}
}

// arrayFrom is a list or an object that changes by itself.
func (e *evaluator) arrayFrom(path string, args []value) value {
	v := arg(args, 0)
	switch {
	case path == "Array.from" && len(args) > 1:
		all, ok := e.elements(v, false)
		if v.kind == record {
			if n := e.member(v, "length"); n.kind == number {
				all, ok = e.emptyList(n.num).items().all, true
			}
		}
		return e.overList(e.openList(all, !ok), "map", args[1:])
	case v.kind == list:
		return e.listMethod(v, "slice", nil)
	case v.kind == record:
		m := newMembers(e.branch)
		e.spreadInto(m, v)
		return value{kind: record, ref: m}
	}
	if all, known := e.elements(v, false); known {
		return e.newList(all)
	}
	return value{}
}

func (e *evaluator) byteList(path string, args []value) value {
	if arg(args, 0).kind == list && len(args) == 1 {
		return e.arrayFrom(path, args)
	}
	return e.buffer(args)
}

func (e *evaluator) assignAll(_ string, args []value) value {
	to := arg(args, 0)
	if to.kind != record {
		e.escapeAll(args)
		return value{}
	}
	for _, a := range args[1:] {
		if m := a.members(); a.kind == record && m != nil {
			for _, name := range m.names {
				e.keep(to.members().cell(name))
			}
		}
		e.spreadInto(to.members(), a)
	}
	return to
}

// showsEnvironment notes that all variables go somewhere, if a value is that.
func (e *evaluator) showsEnvironment(v value) {
	if v.kind == native && v.text == "process.env" {
		e.use(library.Use{What: library.Env, Text: library.Environment, Known: true})
	}
}
