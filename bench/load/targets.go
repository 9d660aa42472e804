package main

import (
	"fmt"
	"slices"
)

// promise is a target of the gateway, and what was measured.
type promise struct {
	Name string `json:"name"`
	Said string `json:"said"`
	Met  bool   `json:"met"`
	// Measured is false if the mode was left out.
	Measured bool `json:"measured"`
}

// The targets, all relative to the floor in the same rounds.
const (
	addedMS       = 0.15 // more time to the first byte than the floor adds
	addedTail     = 1.5  // of what the floor adds at the 99th percentile
	rateFactor    = 0.90 // of the floor's streams in a second
	burstFactor   = 1.35 // of the floor's processor time for a stream
	pacedFactor   = 1.10 // of the floor's processor time for an event
	transitFactor = 1.2  // of what the floor adds to an event's transit
	longMS        = 10   // processor time for a long call
	streamKB      = 64   // memory of an open stream besides its request
)

func judge(b *board, requestBytes int) []promise {
	list := []promise{
		firstByte(b),
		compare(b, fmt.Sprintf("added TTFT p99 at most %.1fx of the floor's", addedTail), modeAlone, figAdded99, addedTail, true),
	}
	for _, m := range []string{modeBurst, modeAnthropic} {
		list = append(list,
			compare(b, fmt.Sprintf("%s: streams/s at least %.2fx of the floor's", m, rateFactor), m, figRate, rateFactor, false),
			compare(b, fmt.Sprintf("%s: CPU per stream at most %.2fx of the floor's", m, burstFactor), m, figCPU, burstFactor, true))
	}
	return append(list,
		compare(b, fmt.Sprintf("paced: CPU per event at most %.2fx of the floor's", pacedFactor), modePaced, figCPUEvent, pacedFactor, true),
		compare(b, fmt.Sprintf("paced: added transit p50 at most %.1fx of the floor's", transitFactor), modePaced, figAddTransit, transitFactor, true),
		atMost(b, fmt.Sprintf("a call in %d pieces in at most %d ms of CPU", longPieces, longMS), modeLong, figMillisecond, longMS, "ms"),
		idleMemory(b, modeIdle, requestBytes),
		idleMemory(b, modeIdleFull, requestBytes),
		promise{Name: "no errors, every byte as it was sent", Measured: true, Met: b.errors == 0, Said: said(b)},
	)
}

func said(b *board) string {
	if b.first != nil {
		return fmt.Sprintf("%d errors; the first: %v", b.errors, b.first)
	}
	return fmt.Sprintf("%d errors", b.errors)
}

// firstByte compares differences, because what one proxy adds is about as
// little as the noise.
func firstByte(b *board) promise {
	more := combine(b.rounds(modeAlone, sluice, figAdded50), b.rounds(modeAlone, floor, figAdded50), func(x, y float64) float64 { return x - y })
	return promise{
		Name: fmt.Sprintf("added TTFT p50 at most the floor's + %.2f ms", addedMS), Measured: len(more) > 0,
		Met: median(more) <= addedMS, Said: fmt.Sprintf("%+.3f ms", median(more)),
	}
}

// compare judges the median of the rounds' ratios to the floor.
func compare(b *board, name, mode, figure string, limit float64, most bool) promise {
	p := promise{Name: name}
	own := b.find(mode, sluice, figure)
	base := b.find(mode, floor, figure)
	if own == nil || base == nil {
		return p
	}
	ratio := b.ratio(mode, sluice, figure)
	if slices.Min(base.Rounds) <= 0 {
		// The noise exceeds what the floor adds: only the medians can be
		// compared.
		ratio = own.Median / max(base.Median, 0.001)
	}
	p.Measured = true
	p.Met = ratio <= limit == most || ratio == limit
	p.Said = fmt.Sprintf("%.2fx (%.3g against %.3g)", ratio, own.Median, base.Median)
	return p
}

func atMost(b *board, name, mode, figure string, limit float64, unit string) promise {
	p := promise{Name: name}
	own := b.find(mode, sluice, figure)
	if own == nil {
		return p
	}
	p.Measured, p.Met = true, own.Median <= limit
	p.Said = fmt.Sprintf("%.1f %s", own.Median, unit)
	if base := b.find(mode, floor, figure); base != nil {
		p.Said += fmt.Sprintf(" (floor %.1f)", base.Median)
	}
	return p
}

// idleMemory allows a stream the size of its request in addition: a gateway
// keeps it to ask again.
func idleMemory(b *board, mode string, requestBytes int) promise {
	limit := streamKB + float64(requestBytes)/1024
	return atMost(b, fmt.Sprintf("%s: at most %d KB per open stream and its request of %.1f KB", mode, streamKB, limit-streamKB), mode, figStream, limit, "KB")
}
