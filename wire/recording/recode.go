package recording

import (
	"errors"
	"fmt"
	"io"

	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// RecodeOptions configure how a recording is written.
type RecodeOptions struct {
	Options
	// To is the format to write; empty means the recording's own. Another one is
	// refused: formats are not translated.
	To wire.Format
	// Force re-encodes every payload with the writer instead of passing its bytes on.
	Force bool
}

// OtherFormatError reports a recording whose format is not the one to be written.
type OtherFormatError struct{ From, To wire.Format }

// Error says what is not possible and what is.
func (e *OtherFormatError) Error() string {
	return fmt.Sprintf("the recording is %s, and Sluice does not translate between formats: use --to %s, or leave --to out", e.From, e.From)
}

// Recode writes the answer in r to w as an event stream; a whole non-streaming response
// is written as its JSON body. It returns nil when the answer was complete. An answer
// that was truncated or failed is written as far as it goes, with the provider's error
// and never with a regular end, and the failure is returned: stream.ErrIncomplete, a
// *stream.ProviderError or why it is unreadable. So is a recording with one payload per
// line, up to a line that is not JSON.
func Recode(w io.Writer, r io.Reader, opts RecodeOptions) error {
	opts.SkipBroken = true // to say which line it is
	p, err := open(r, opts.Options)
	if err != nil {
		return err
	}
	if opts.To != "" && p.format != opts.To {
		return &OtherFormatError{From: p.format, To: opts.To}
	}
	state := stream.NewState(opts.Limits)
	writer := p.format.NewWriter(stream.WriterOptions{Force: opts.Force})
	var buf []byte
	var sinkErr error
	err = p.each(func(c *stream.Chunk) error {
		if broken := p.source.Broken(); broken != nil {
			return errDamaged
		}
		if err := state.Apply(c); err != nil {
			return err
		}
		out, err := writer.Write(buf[:0], c)
		buf = out
		if len(out) > 0 {
			if _, sinkErr = w.Write(out); sinkErr != nil {
				return sinkErr
			}
		}
		return err
	})
	if sinkErr != nil {
		return fmt.Errorf("write the stream: %w", sinkErr)
	}
	if broken, ok := errors.AsType[*BrokenLinesError](p.source.Broken()); ok {
		return fmt.Errorf("line %d of the recording is not valid JSON: nothing after it is written", broken.Lines[0])
	}
	if err != nil {
		if unreadable := p.unreadable(err); unreadable != nil {
			return unreadable
		}
		return err
	}
	if providerErr := state.Err(); providerErr != nil {
		return providerErr
	}
	return nil
}

// errDamaged ends a recording behind a line that was skipped.
var errDamaged = errors.New("a line of the recording was skipped")

// IsUnreadable reports whether err says that the input is not a usable recording, as
// opposed to a recording of an answer that was truncated or failed.
func IsUnreadable(err error) bool {
	_, unreadable := errors.AsType[*UnreadableError](err)
	_, other := errors.AsType[*OtherFormatError](err)
	return unreadable || other
}
