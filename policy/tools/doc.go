// Package tools decides which tools a model may call and whether the arguments
// of a call match the tool's declaration.
//
// There are two questions, and a policy can ask either or both:
//
//   - Is the tool wanted? Allow and Deny are lists of names, with "*" for any
//     run of characters. They are compared, whatever the case, with every name
//     a tool goes by: the one the model wrote ("mcp__github__get_issue"), the
//     one it has without prefixes and disguise ("Bash" for functions.Bash), and
//     for tools of a server "github/get_issue". Clients have names of their own
//     for the same thing, so there are also the kinds of package call:
//     "kind:shell" is every tool that runs commands. What is denied stays denied;
//     with an Allow list everything that is not on it is denied too. A verdict
//     that depends on which server a tool is of, where that is not known, has the
//     cause policy.CauseUnknown.
//
//   - Are the arguments right? With Schema, they are checked against the JSON
//     schema that the request declares for the tool, and a tool that the
//     request does not declare is refused. The reason says where the arguments
//     are wrong and what is expected there, so that the model can do better. It
//     never repeats a value, only names.
//
// Schemas come from clients and arguments from models, so neither is trusted: a
// schema that is too large, refers to another document or is not supported, and
// a check that takes too much work, are failures of the policy
// (policy.Verdict.Err), for which its definition's OnError applies. Patterns
// are those of Go's regexp package, which take linear time; a schema with
// look-around or back-references is therefore not supported. The keyword
// "format" is not enforced, which is the default in JSON Schema.
package tools
