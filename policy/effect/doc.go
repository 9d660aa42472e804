// Package effect is the vocabulary for what a call would do: a verb with its
// object.
//
//	rm -rf ~/.config             delete /home/u/.config, wide
//	curl -T a.txt https://x/     send https://x/, from a.txt
//	git push -f origin main      force-push main
//
// Whoever reads calls (a shell's text, a tool's arguments, a program) says what
// they do in these words, and whoever judges asks for these words, so that no
// policy has to know the flags of rm and the thousand ways to write them.
//
// Conditions of policies ask for them as call.effects, see package rule:
//
//	call.effects.exists(e, e.verb == "delete" && e.touches(["/srv/data/**"]))
//	call.effects.exists(e, e.verb == "send" && e.carries(["**/.env"]))
//
// An effect says what would happen, not whether that is bad. Paths are those of
// the client's machine, by their text alone: [Place] makes them absolute as far
// as it is known where the client works, and no disk is ever looked at.
package effect
