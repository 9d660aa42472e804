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
// The form of descriptions, with all their keys, kinds and conditions, is in
// docs/judgement.md. Two files say what is known of programs beside their command lines:
// orders.yaml, where they find what they run ([Orders]), and output.yaml, what can be read
// in what they print ([Output]). Names that begin with _ are descriptions that others are
// like, or of parts of command lines; _run- is how interpreters are called.
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
