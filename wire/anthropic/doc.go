// Package anthropic reads and writes answers and reads requests in the format
// of Anthropic's Messages API.
//
// # The format in one minute
//
// An answer is a message that is a list of content blocks. It streams as
// events whose payload names itself in its type member:
//
//	message_start          the message without content, its id and model
//	content_block_start    a block begins: its index and its type
//	content_block_delta    the block grows: text_delta, input_json_delta, ...
//	content_block_stop     the block has ended; nothing of it can follow
//	message_delta          the stop_reason, and usage
//	message_stop           the end
//
// A ping can stand anywhere. An error can stand anywhere too and ends the
// stream. There is one choice, number 0. The provider's own types of blocks
// become kinds of blocks like this:
//
//	text                                       content
//	thinking                                   thinking, with its signature
//	tool_use                                   tool call
//	server_tool_use, mcp_tool_use              server tool
//	web_search_tool_result, ..._tool_result    tool result
//	redacted_thinking, compaction, unknown     opaque
//
// # What is read
//
// A [Decoder] reads what real servers and translating proxies send, not only what the
// documentation shows: overlapping blocks, indices that are missing, repeated or not
// contiguous, missing stops, messages that start twice. Each of these is repaired if
// only one reading is possible, and listed in Deviations. Where two parsers could see
// two different answers, as with a duplicate member or a text delta inside a tool call,
// the answer fails with a [stream.ProtocolError]. An answer without message_stop was
// truncated.
//
// # What is written
//
// A [Writer] passes an unedited stream on byte for byte. From the first edit on, its
// output conforms to the documentation: indices are contiguous from 0, blocks do not
// overlap, every block has its stop, and one stop_reason that fits the blocks precedes
// message_stop. Thinking is signed, so it is whole or removed. Inserted text goes
// before the first tool_use, because the provider refuses text after one when the
// client sends the message back.
//
// # Requests
//
// [ReadRequest] reads the body of a request and records the position of every text, so
// that one can be replaced without touching any other byte.
package anthropic
