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
// Client.Run returns a Run, which does nothing until it is ranged over. Run.Events
// has everything: text, thinking, calls and their results, questions to a person,
// the end of each round with its cost, and the final Result. Run.Text has the text
// only, and Client.Call waits for the end: a call is a collected stream. Run.Result
// is valid after the loop, after a break and after an error.
//
// A run uses no goroutines except while several tools run concurrently, and
// leaves none behind when the range ends.
//
// # Rounds
//
// A model that calls tools is asked again with their results: a round. The tool loop
// waits until an answer is complete, lets the advisors inside it see it, runs the
// tools (several concurrently; those that are Sequential alone), stores the results
// in the memory together with the calls, as one unit, and asks again. Tools are
// never run for an answer that was truncated, filtered or refused, nor for a
// truncated call. Invalid calls, errors of tools and their panics are reported to
// the model; Fatal stops the run, and Interrupt makes it wait for a person.
//
// The StreamMode determines what is shown of rounds that call tools. The default,
// FinalBuffered, shows nothing of them, and therefore the answer only when it is
// complete; All shows everything as it arrives.
//
// Limits stop loops that do not end on their own, with a Result that says which
// limit it was.
//
// # However it ends
//
// The history that a run leaves in its Result and in the memory is one that every provider accepts: each call
// has exactly one result, and it contains no truncated call, thinking or provider's block. Only calls that
// the loop was told to leave to the caller have no result in the Result, and are not stored. A run without a
// complete round leaves nothing; one that fails later leaves its complete rounds, because what tools did has
// happened.
//
// # Advisors
//
// An Advisor wraps the model and sees requests and events on their way. The tool
// loop and the memory are advisors, and so are Logging, Retry and Structured, and
// the policies of package agent/policies, which uses the same files that the
// gateway enforces. New adds the usual ones in the usual order; NewClient takes
// exactly those that it is given. An order says how far out an advisor is: those
// without one are inside the tool loop, and are called in every round.
//
// # Drivers
//
// This package imports no database, no policy language and no protocol. Memories in
// databases are in agent/memory/sqlite and agent/memory/postgres, tools of MCP
// servers in agent/mcp, policies in agent/policies.
package agent
