// Package e2e drives real clients through the real sluice program: coding agents (Claude Code, Codex, opencode,
// Qwen Code, Gemini CLI) and the SDKs of JavaScript and Go.
//
// The model behind the gateway is a small agent on the loopback interface (upstream_test.go, agent_test.go). It
// speaks the dialects of all four providers and does what the prompt says: it calls the client's own shell tool
// with the command in the prompt, and when a result comes back, it ends with a text that quotes it. So each test
// can ask two plain questions of each client:
//
//   - a harmless command runs: its file is there, and what it printed arrived at the model;
//   - a destructive command does not run: the file that it would have deleted is still there, the client ends in
//     good order, and the user reads why.
//
// The second question would also be answered well by a client that never runs anything. The tests therefore ask
// it a third time without a gateway, where the same command must delete the file.
//
// A further test compares what arrives at the provider with and without Sluice in between (fidelity_test.go).
//
// `make e2e` installs the clients, in the versions that clients/package-lock.json pins, and runs the tests.
// Without SLUICE_E2E, which names the directory of the clients, the tests are skipped. No test talks to
// anything but the loopback interface, no test sees the user's settings or keys, and the destructive command
// can only delete a file of one particular name.
package e2e
