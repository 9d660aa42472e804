package javascript

import (
	"strings"

	"github.com/sluice-project/sluice/policy/program/javascript/syntax"
	"github.com/sluice-project/sluice/policy/program/library"
)

// code reads what is made from text, and what leads to other code.
func (e *evaluator) code(path string, args []value) (value, bool) {
	arg := value{kind: undefined}
	if len(args) > 0 {
		arg = args[0]
	}
	switch path {
	case "eval", "vm.runInThisContext", "vm.runInNewContext", "vm.runInContext", "vm.Script", "vm.compileFunction":
		if path == "eval" && (isPlain(arg) || arg.kind == list || arg.kind == record || arg.kind == function) {
			return arg, true
		}
		return e.eval(arg), true
	case "Function", "AsyncFunction":
		return e.newFunction(args), true
	case "require", "process.mainModule.require", "module.require", "process.getBuiltinModule", "process.binding":
		return e.requireValue(e.toText(arg)), true
	case "module.createRequire":
		return nativeValue("require"), true
	case "setTimeout", "setInterval", "setImmediate", "queueMicrotask":
		if arg.kind == text {
			e.eval(arg)
			return value{}, true
		}
		return value{}, false
	case "Reflect.get":
		if len(args) > 1 {
			return e.at(arg, args[1]), true
		}
	case "Reflect.apply":
		if len(args) > 2 {
			v, _ := e.functionMethod(arg, "apply", args[1:])
			return v, true
		}
	case "Object.getPrototypeOf", "Reflect.getPrototypeOf":
		return nativeValue("Function.prototype"), true
	}
	if strings.HasSuffix(path, "._load") {
		return e.requireValue(e.toText(arg)), true
	}
	if strings.HasPrefix(path, "Reflect") || strings.HasPrefix(path, "Proxy") || path == global+".?" || path == "worker_threads.Worker" || path == "Object.setPrototypeOf" {
		e.doubt(syntax.Reach)
		e.escapeAll(args)
		return value{}, true
	}
	return value{}, false
}

// eval reads a text as a program.
func (e *evaluator) eval(v value) value {
	if v.kind != text || v.partial {
		u := library.Use{What: library.Eval, Text: Unknown}
		if v.kind == text {
			u.Text = v.text
		}
		e.use(u)
		e.doubt(syntax.Reach)
		return value{}
	}
	if e.evals >= maxEvals || !e.step(1+len(v.text)/16) {
		e.use(library.Use{What: library.Eval, Text: v.text, Known: true})
		e.doubt(syntax.Nesting)
		return value{}
	}
	e.evals++
	out := e.program(v.text)
	e.evals--
	return out
}

// newFunction reads a function that is made from texts: its parameters and its
// body.
func (e *evaluator) newFunction(args []value) value {
	texts := make([]string, 0, len(args))
	for _, a := range args {
		t := e.toText(a)
		if t.kind != text || t.partial {
			return e.eval(value{})
		}
		texts = append(texts, t.text)
	}
	body := ""
	if n := len(texts); n > 0 {
		body, texts = texts[n-1], texts[:n-1]
	}
	scope := e.scope
	e.scope = e.top
	v := e.eval(textValue("(async function(" + strings.Join(texts, ",") + "\n){" + body + "\n})"))
	e.scope = scope
	return v
}
