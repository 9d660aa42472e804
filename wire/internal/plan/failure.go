package plan

import (
	"errors"

	"github.com/sluice-project/sluice/stream"
)

// Told is what a client may be told about the cause of a failure: the provider's own
// error, or why a payload is invalid. It never quotes the payload itself, which was not
// judged. Other errors are returned as they are.
func Told(cause error) string {
	if provider, ok := errors.AsType[*stream.ProviderError](cause); ok {
		if provider.Message != "" {
			return provider.Message
		}
		return "the provider reported an error"
	}
	if protocol, ok := errors.AsType[*stream.ProtocolError](cause); ok {
		return "the provider's answer cannot be read: " + protocol.Reason
	}
	if cause != nil {
		return cause.Error()
	}
	return "the answer failed"
}
