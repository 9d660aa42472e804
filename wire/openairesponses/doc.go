// Package openairesponses reads and writes the OpenAI Responses API.
//
// # The dialect
//
// An answer is a response object with a list of output items: messages,
// reasoning, calls that the client runs, tools that the provider runs, their
// results. A stream tells it in events whose name is the payload's type:
//
//	response.created                     the response object, still empty
//	response.output_item.added           an item begins, under an output_index
//	response.content_part.added          a part of a message begins
//	response.output_text.delta ...       its text grows
//	response.output_text.done            its text in full
//	response.content_part.done           the part in full
//	response.output_item.done            the item in full
//	response.completed                   the response object in full
//
// Every text is sent up to four times, and a client may read any of the copies.
// Therefore all of them are events here, a difference between them is kept in the block
// (stream.Block.Other) and noted as a deviation, and the writer changes all of them or
// none.
//
// # Blocks
//
// An item is one block, under its output_index; item ids are not trusted, because some
// servers change them from event to event. Only messages can be several: each run of
// parts of one kind, text or refusal, is a block. A call's block has the id that its
// result will refer to (call_id), not the item's. Its arguments are the member
// arguments or input; for built-in tools the JSON of their action. shell_call is a
// client's call unless the item names a container of the provider; once started as a
// client's call it stays one.
//
// A call that goes on after another item began, or whose events leave out or change its
// ids, is unclear (stream.Block.Unclear): clients that go by ids, or by the item that began
// last, would put its pieces together in another way.
//
// A block ends with response.output_item.done. The answer ends with response.completed,
// response.incomplete, response.failed or response.cancelled; without one of them it
// was truncated. A non-streaming response is read as the same events at once.
//
// # Writing
//
// The [Writer] passes an unedited stream on byte for byte. After an edit, output_index
// and sequence_number are renumbered, every item has one id in all its events, and the
// final output is built from the items that were sent. A replaced item keeps its
// position, and its ids if its type stays.
package openairesponses
