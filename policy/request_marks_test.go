package policy

import "testing"

// A request that is not even looked at has no tool result in it, however it is
// written.
func TestWhatMayHaveResultsIsLookedAt(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		`{"messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":"auto"}`: false,
		`{"messages":[{"role":"tool","content":"x"}]}`:                                              true,
		`{"messages":[{"role" : "tOoL","content":"x"}]}`:                                            true,
		`{"messages":[{"role":"FUNCTION","name":"f","content":"x"}]}`:                               true,
		`{"messages":[{"role":"user","content":[{"type":"tool_result","content":"x"}]}]}`:           true,
		`{"input":[{"type":"custom_tool_call_output","output":"x"}]}`:                               true,
		`{"input":[{"type":"mcp_call","output":"x"}]}`:                                              true,
		`{"contents":[{"parts":[{"functionResponse":{"name":"f","response":{}}}]}]}`:                true,
		`{"contents":[{"parts":[{"function_response":{"name":"f"}}]}]}`:                             true,
		`{"contents":[{"parts":[{"codeExecutionResult":{"output":"x"}}]}]}`:                         true,
		`{"messages":[{"role":"user","content":[{"type":"\u0074ool_resul\u0074","content":"x"}]}]}`: true,
	} {
		if got := mayHaveResults([]byte(body)); got != want {
			t.Errorf("%s: %v", body, got)
		}
	}
}
