// Package command knows programs: which options they take, what their subcommands
// and operands mean, and what they do to the world.
//
// What is known of a program is a description in YAML, in catalogue/*.yaml, one
// file for each family of programs. Everything that is known of a program is in its
// description, and a description can be checked and tried: it carries examples
// that run as tests. The code of this package only interprets descriptions.
//
//	helm:
//	  about: Kubernetes packages
//	  flags:
//	    value: [n namespace, kube-context, kube-token]
//	    dry: [dry-run]
//	  commands:
//	    uninstall|delete:
//	      operands: [release...]
//	      effects:
//	        - destroy: "release {release}[ in {namespace}]"
//	          wide: [several release, listed release]
//	  examples:
//	    - {run: helm --kube-token t uninstall shop, want: [destroy release shop]}
//
// # The form
//
// A command is called by ways: words, with alternatives ("rm|remove") and wildcards,
// "**" for any words before. What it is given has roles: flags by their last name,
// operands by their place, "argv:argv..." with a kind that says what becomes of it.
// Every invocation also has the roles program, command, words, options, after and
// $NAME, unless a flag or operand has that name. An effect is a verb with an object;
// one without an object is about the whole command line, and "remove: destroy wide"
// is short for a command that does just that. Instead of a verb, a kind says that
// something is run or installed: "shell: {exec} {word*}". Further keys:
//
//	harmless      ways that do nothing that matters: what is neither here nor among
//	              the commands is unknown
//	like          begins with what other descriptions have; one whose name begins
//	              with _ is only there for that, and is no program
//	syntax        one-dash: -name is --name; first-ends: the first operand ends the
//	              options, for a program or for one of its commands; any-case: capitals
//	              mean the same; slash: /name is --name, as on Windows
//	variables     names in the environment that give a role a value
//	input         what happens to the input: a kind, or {as: kind, unless: [...]}
//	registry      a role: where values of the kind package come from; extra-registry, where
//	              they come from as well, and the switch no-index, from nowhere else
//	place         the code that says where the program works, called before all else
//	wraps         the program runs the command in its arguments, whose words are read
//	              both ways behind an option that is not described
//	common        many other things have the name, too
//	always        effects and hooks that the program has whatever its command is, also if
//	              the description does not have that; or effects, cases and hook of that kind
//	cases         what the values of a role say, told apart by their form ("{name}={value}"),
//	              by what they say as a document in JSON or YAML, and by conditions
//	program       the rest of the command line is another program's: docker compose; of
//	              a family, "git *" is git with what the name has in the wildcard's place
//	spawn, shell, argv, load and the like, in the place of an effect's verb: what the
//	              roles make is run
//	hook, context what only code can tell, given the roles, and under what conditions
//
// Flags have a value, or may have one (optional), or are switches; "ends" are those with a
// value behind which there are no options, as python -c.
//
// Two files say what is known of programs beside their command lines, most of which do
// nothing else that could be described: orders.yaml, where they find what they run
// ([Orders]), and output.yaml, what can be read in what they print ([Output]). Examples
// stand among the entries. Names that begin with _run- are how interpreters are called.
//
// [Program.Resolve] reads the arguments of an invocation with the description of
// its program and tells a [Host] what would happen.
//
// # What it promises
//
// An option that the description does not have is read both ways: the next word is
// its value, and it is not. The effects of every reading count, so that adding an
// option, known or not, never removes an effect. The only exceptions are --help and the
// options that the description says make a dry run or spare an effect, and only where that is
// certain: where they cannot be the value of another option, and nothing in the command line
// takes them back, as --no-dry-run and --dry-run=false do. A subcommand that the description does not have, and
// a word that is not known in a place that decides, are reported as unknown, never
// as harmless.
//
// The cost is linear in the number of words. Descriptions are parsed when a program
// is first asked for, so that a process that judges one command does not parse them
// all.
package command
