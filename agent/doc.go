// Package agent runs agents in a Go program: a model, tools in a streaming loop, a
// memory, policies, and advisors around them.
//
//	weather := agent.NewTool("weather", "The weather in a city.",
//		func(ctx context.Context, in struct{ City string }) (string, error) { … })
//	client, err := agent.New(agent.Config{Model: m, Tools: []*agent.Tool{weather}})
//	…
//	run := client.Run(ctx, &agent.Request{Text: "What is the weather in Paris?"})
//	for text, err := range run.Text() {
//		if err != nil {
//			return err
//		}
//		fmt.Print(text)
//	}
//	fmt.Println(run.Result().Usage.Output, "tokens")
//
// # A run
//
// Client.Run returns a Run, in which nothing happens before it is ranged over.
// Run.Events has everything: text, thinking, calls and what came of them, questions
// to a person, the end of each round with what it cost, and the final Result.
// Run.Text has the text only, and Client.Call waits for the end: a call is a
// collected stream. Run.Result is valid after the loop, after a break and after an
// error.
//
// There is no goroutine in a run except while several tools run at the same time,
// and a range that is over has left nothing behind.
//
// # Rounds
//
// A model that calls tools is asked again with their results: a round. The tool loop
// waits until an answer is whole, lets the advisors inside of it see that, runs the
// tools (several at a time; those that are Sequential alone), gives the results to
// the memory together with the calls, as one unit, and asks again. Tools are never
// run on an answer that was truncated, filtered or refused, or on a call that was
// cut. What is wrong with a call, an error of a tool and its panic are told to the
// model; Fatal stops the run, and Interrupt lets it wait for a person.
//
// What is seen of the rounds that call tools is the StreamMode. The default,
// FinalBuffered, shows nothing of them, and so the answer only when it is whole; All
// shows everything as it comes.
//
// Limits end loops that do not end by themselves, with a Result that says which.
//
// # However it ends
//
// The history that a run leaves in its Result and in the memory is one that every
// provider takes back: calls have results, each once, and no call, thinking or
// provider's block that was cut is in it. Only calls that the loop was told to leave to
// the caller have none in the Result, and are not remembered. A run of which no round was complete leaves nothing; one that fails later
// leaves the rounds that were, because what tools did has happened.
//
// # Advisors
//
// An Advisor stands around the model and sees requests and events on their way. The
// tool loop and the memory are advisors, and so are Logging, Retry and Structured,
// and the policies of package agent/policies, which are the same files that the
// gateway enforces. New puts the usual ones in the usual order; NewClient takes
// exactly those that it is given. An order says how far out an advisor stands:
// those without one stand inside the tool loop, and are asked in every round.
//
// # Drivers
//
// This package imports no database, no policy language and no protocol. Memories in
// databases are in agent/memory/sqlite and agent/memory/postgres, tools of MCP
// servers in agent/mcp, policies in agent/policies.
package agent
