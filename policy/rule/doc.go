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
// # Variables
//
// Which of the first three exist depends on what a policy applies to.
//
//	call                  for tool_call, server_tool and opaque
//	  .name               the tool's usual name: Bash, Read, get_weather
//	  .raw_name           its name as the model wrote it
//	  .kind               shell, read, write, edit, fetch, mcp, task or other
//	  .server             the MCP server, empty if there is none
//	  .args               the arguments as a map: call.args.path; numbers are
//	                      int or double
//	  .raw                the arguments as text
//	  .commands           the commands that it runs, see below
//	  .effects            what it would do, whatever way it is written: see below
//	  .reads .writes      the files that it touches, as far as they can be told
//	  .urls               the addresses that it touches
//	  .unknown            the reasons why something of it could not be read
//	command               an element of call.commands
//	  .name .sub          program and subcommand: git, push
//	  .args               the arguments without quotes
//	  .env                the variables set for this command alone
//	  .sudo .remote       runs as another user; runs on another machine
//	  .text               its source
//	  .is("a", "b")       whether it is one of the programs; also .is(list)
//	  .flag("context")    the value of a flag, the last of several, empty if there
//	                      is none
//	  .flags("env")       all values of a flag, in order
//	  .has("-f")          whether it has a flag
//	  .names(paths)       whether one of its arguments is one of the paths
//	effect                an element of call.effects; package effect has the words
//	  .verb               what is done: read, write, delete, send, force-push, drop
//	  .object             to what: a path, an address, a branch, a table
//	  .from               where it comes from: the file that is sent or copied, the
//	                      address that is saved; empty if there is none or it is
//	                      not known
//	  .content            what is written, if it is known as a whole
//	  .how                the program or tool that does it
//	  .wide               not the object alone, but everything in it or that it
//	                      matches
//	  .sudo .remote       as another user; on another machine
//	  .guess              only if what is not known is so, as a variable that may
//	                      be empty
//	  .shown              what is read or revealed is in what the call returns
//	  .scratch            what is dropped or destroyed is made for tests, as its
//	                      name or that of what it is in says; what is deleted was
//	                      made by the same command, is in a container that is
//	                      thrown away, or is the .git of a repository that is not
//	                      the project
//	  .touches(paths)     whether it could be about one of the paths
//	  .around(paths)      the same, also if one of the paths only lies in its object
//	  .within(paths)      whether all that it is about lies in these directories
//	  .outside(paths)     whether something of it lies, or may lie, elsewhere
//	  .carries(paths)     whether what it takes comes from one of the paths
//	past                  what the conversation saw and did before a call, see
//	                      package flow
//	  .known              whether all of it is there
//	  .untrusted          whether it has read what others wrote; also if that is
//	                      not known
//	  .private            whether it has read what is private; also if that is not
//	                      known
//	  .copied(text)       whether a text stands in what others wrote and not in
//	                      what the user said
//	result                for tool_result
//	  .tool .text         which tool answered, and what
//	text                  for content, thinking, refusal and tool_result
//	request               what the model was asked
//	  .model
//	  .messages           each with .role and .text
//	  .tools              the names of the declared tools
//	  .user_text          what the person asked for last
//	session               the client's conversation
//	  .id .client .cwd .home .labels
//	key                   who asks
//	  .name .user .groups
//	now                   the time, the same for all expressions on a block
//	params                the policy's parameters: params["git.protected"], or
//	                      params.git.protected
//
// If a policy applies to several kinds of blocks, the variables that a block
// does not have are empty: no name, no text, no commands.
//
// # Functions
//
// CEL's own functions and macros (contains, startsWith, matches, size, in,
// exists, all, filter, map, has, ...), its string extension (lowerAscii, trim,
// split, join, replace, substring, ...), and:
//
//	path.under("~/.ssh")      path is this directory or lies in it
//	path.glob("**/*.pem")     * and ? stay in an element, ** crosses them; a
//	                          pattern without a slash is about the last element
//	url.host()                the host in lower case, without port; also of
//	                          git@host:path and host:path
//	text.suspicious()         the text seems to hold orders for a model, or hides
//	                          characters
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
// # Missing keys, errors and limits
//
// Use has(call.args.force) to test whether a key exists. A missing key makes a
// condition False as a whole, also under "!", unless the other side of || or &&
// decides. Other failures are errors: a text is compared
// with a number, a list is too short, or the evaluation costs more than a
// million steps (ErrCost), where a step is one operation or ten bytes read. The
// policy's on_error decides then.
package rule
