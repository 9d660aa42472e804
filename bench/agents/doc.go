// Command agents measures what an agent loop costs on top of the model and the tools, and compares it with eino
// and genkit, in one process and on the same scripted rounds.
//
//	./run.sh agents                # the table, about a minute; exit status 1 if a target is missed
//	./run.sh agents -quick         # a few seconds: does everything run? No figure is judged
//	./run.sh agents -json          # for programs
//	./run.sh agents -script 10x1 -contender sluice -rounds 50 -memprofile mem.out
//
// It is a module of its own, because genkit and the clients in the module around it need incompatible versions of
// one library.
//
// A script has some rounds in which the model writes a text and calls a tool, and a last one with the answer.
// Everybody gets the same texts, calls and pieces, prepared in their own form before anything is measured; the
// tool returns a constant. Sluice's model yields prepared events, so that it is its loop that is measured and not
// a model. For comparison, each loop's model and tool are also run alone: the answers are read to their ends and
// the tool is called. What a loop adds is the difference.
//
// There are three ways to ask. In call the models answer in one piece. In stream they answer in pieces, which are
// taken as they come. In collect they answer in pieces too, and only the whole is taken: that is what a call of
// Sluice is with real providers, which it always asks for a stream, while those of the others ask for one piece.
//
// Where there was a choice it was made in favour of the others:
//
//   - Sluice shows every event of every round. eino shows the last answer only; what came before it is read
//     by its graph.
//   - eino's graph wraps neither the model nor the tool in callbacks, and its checker reads no further than to
//     the first call.
//   - genkit leaves it to models to put their pieces together, and the scripted one has the message prepared.
//     Arguments are decoded before too. Its spans are not sampled.
package main
