// Package rule evaluates the conditions of policies: typed expressions in CEL,
// the Common Expression Language, over what is judged.
//
//	call.commands.exists(c, c.is("kubectl") && c.flag("context").matches("prod"))
//	call.effects.exists(e, e.verb == "delete" && e.touches(["/srv/data/**"]))
//
// An expression is compiled once, when policies are loaded. CEL parses it and checks
// its names and types then, and what can never match is rejected, each with a
// position and a suggestion. It is evaluated by this package, which knows what is
// unknown: what is asked of calls, commands, effects and texts has nodes of its own
// that allocate nothing, and all else is done by the functions of CEL's library. A
// compiled Program takes less than a microsecond for most calls. Where many programs
// are used together, Gates are a prefilter that tells at once which of them a call
// has nothing to do with.
//
// # Variables and functions
//
// Reference lists them, the members of each type and the functions, each with an
// example; docs/policy-reference.md is made from it. Which of call, result and text
// exist depends on what a policy applies to. If it applies to several kinds of
// blocks, the variables that a block does not have are empty: no name, no text, no
// commands.
//
// The paths of touches, around, carries and names are a list of patterns: /etc/** is /etc and
// everything in it, ~ the client's home, "." its working directory, **/.git lies
// anywhere, ?:/ is any drive, and !**/*.pub takes paths out of the list; see
// effect.Paths. What an effect is about can be a pattern too: rm /e* touches
// /etc. A wide effect also touches what lies in its object.
//
// Paths are cleaned, "~" is the client's home and relative paths start in its
// working directory. Patterns are constants or parameters, never part of what
// is judged.
//
// # What is not known
//
// Sluice does not guess. A call can run commands that cannot be read, and a
// client may not say where it works. A condition that depends on such a value
// is Unknown, and the policy's on_unknown decides. It is only Unknown if it
// really depends on it: "a || b" is true if a is true, whatever b may be; an
// exists over an incomplete list is true if a known element matches, and all is
// false if a known element does not. Unknown are:
//
//   - call.commands, effects, reads, writes and urls where something could not
//     be read: they count as going on with an element of which nothing is known.
//     A script that nobody has shown is the effect run, and makes nothing unknown,
//   - call.effects of a program whose description does not have the subcommand: they
//     count as going on with an effect of which only the program is known, unless
//     Options.Written is set,
//   - the tool and the arguments of a call that a program makes, as far as it computes
//     them,
//   - the options and the subcommand of a command line where that depends on an option
//     that is not described,
//   - the arguments that follow when a command runs, as for xargs, and those that
//     a variable outside of quotes may become,
//   - a text of which a part is a variable or a substitution, if the comparison
//     depends on that part: "staging-$X" does not start with prod, whatever X is.
//     ==, !=, in, startsWith, endsWith, contains, matches, host, under and glob
//     look into such a text; to other functions all of it is unknown. With
//     Options.Written it is compared as it is written,
//   - call.args if the arguments are not one JSON object in one reading,
//   - session.id, client, cwd and home if they are empty; has(session.cwd)
//     tells,
//   - request if it is not known,
//   - result.tool if no call has the result's id,
//   - the object of a push where it is the branch that is checked out,
//   - where an effect lies that has a path which is not known, and whether one
//     that is wide, or has a wildcard in its path, is about a pattern that may be
//     anywhere: rm -rf /srv and **/.env,
//   - the host of what is not clearly one URL.
//
// # What is not there, errors and limits
//
// What is not there is equal to nothing: an argument that a call does not have, a
// variable that is not set for a command, an element behind the last one of a list.
// Whatever is asked of it is false (==, in, <, startsWith, matches, exists, all), != is
// true, and so is the negation of what is false: a condition and its negation are never
// both false. has(call.args.force) tells whether a key exists. Other failures are errors:
// a text is compared with a number, or the evaluation costs more than a
// million steps (ErrCost), where a step is one operation or ten bytes read. The
// policy's on_error decides then.
package rule
