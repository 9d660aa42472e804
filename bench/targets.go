package main

import (
	"fmt"
	"strings"

	"github.com/sluice-project/sluice/wire"
)

// target is a performance target of Sluice, and what was measured.
type target struct {
	Name string `json:"name"`
	// Said is the worst figure and where it was measured.
	Said string `json:"said"`
	Met  bool   `json:"met"`
	// Measured is false if the streams or contenders it needs were left out.
	Measured bool `json:"measured"`
}

// The targets. Those about clients are judged over all recorded streams, the
// others by their worst stream.
const (
	clientFactor = 25   // an official client costs at least so many times more
	fieldFactor  = 1.25 // bare extraction is at most so much cheaper
	growthFactor = 1.3  // a chunk of a long stream costs at most so much more
	steadyAllocs = 0.01 // allocations per further chunk that count as none
	enoughChunks = 100  // below it, what is made once per answer dominates

	noPoliciesFactor  = 1.1 // what an engine without policies adds to a host at most
	recommendedFactor = 1.2 // and one with the recommended ones
	decisionMicros    = 100 // processor time of one decision
	patternMBs        = 200 // million bytes of clean text in a second
	twiceFactor       = 2.3 // what twice the text costs at most
)

func judge(rs results, fs []figureRow) []target {
	return []target{
		slowestClient(rs, nameOpenAI, wire.OpenAIChat),
		slowestClient(rs, nameAnthropic, wire.Anthropic),
		bareExtraction(rs),
		steady(rs),
		flat(rs),
		engineAdds(rs, nameNoPolicies, noPoliciesFactor),
		engineAdds(rs, nameRecommended, recommendedFactor),
		decides(fs),
		searches(fs),
		linear(fs),
	}
}

// slowestClient compares an official client, which decodes and accumulates, with
// what Sluice does up to the decision that a payload may pass: over all recorded
// streams of the format, and without recordings by the worst generated one. The
// figures of single streams, and those including the writing, are reported as
// well.
func slowestClient(rs results, name string, format wire.Format) target {
	t := target{Name: fmt.Sprintf("%s costs at least %dx", name, clientFactor)}
	decide := map[string]float64{}
	for _, r := range rs {
		if r.Contender == nameDecide {
			decide[r.Stream] = r.Ratio
		}
	}
	type finding struct {
		stream           string
		decided, written float64
	}
	var over, worst finding
	for _, r := range rs {
		if r.Contender != name || !r.isFormat(format) || r.Ratio == 0 || decide[r.Stream] == 0 {
			continue
		}
		f := finding{r.Stream, r.Ratio / decide[r.Stream], r.Ratio}
		if r.Stream == allName(format) {
			over = f
		} else if r.Chunks >= enoughChunks && (worst.decided == 0 || f.decided < worst.decided) {
			worst = f
		}
	}
	if over.decided == 0 {
		over = worst
	}
	t.Measured = over.decided > 0
	t.Met = over.decided >= clientFactor
	t.Said = fmt.Sprintf("%.1fx on %s (%.1fx with the writing)", over.decided, over.stream, over.written)
	if worst.decided > 0 && worst.stream != over.stream {
		t.Said += fmt.Sprintf("; of single streams the least is %.1fx (%.1fx) on %s", worst.decided, worst.written, worst.stream)
	}
	return t
}

// bareExtraction compares with the faster of the two gjson variants.
func bareExtraction(rs results) target {
	t := target{Name: fmt.Sprintf("at most %.2fx of bare gjson", fieldFactor)}
	worst, where := 0.0, ""
	for _, stream := range rs.streams() {
		fastest := 0.0
		for _, r := range rs {
			if r.Stream == stream && r.role == field && r.Chunks >= enoughChunks && (fastest == 0 || r.Ratio < fastest) {
				fastest = r.Ratio
			}
		}
		if fastest > 0 && 1/fastest > worst {
			worst, where, t.Measured = 1/fastest, stream, true
		}
	}
	t.Met = t.Measured && worst <= fieldFactor
	t.Said = fmt.Sprintf("%.2fx on %s", worst, where)
	return t
}

func steady(rs results) target {
	t := target{Name: "no allocation per steady-state delta"}
	worst, where := 0.0, ""
	for _, g := range rs.growth() {
		if g.role == ours && (!t.Measured || g.Allocs > worst) {
			worst, where, t.Measured = g.Allocs, g.Family, true
		}
	}
	t.Met = t.Measured && worst < steadyAllocs
	t.Said = fmt.Sprintf("%.4f per further chunk on %s", worst, where)
	return t
}

func flat(rs results) target {
	t := target{Name: fmt.Sprintf("growth of ns and bytes at most %.1fx", growthFactor)}
	worst, where := 0.0, ""
	for _, g := range rs.growth() {
		if g.role == ours && max(g.NS, g.Bytes) > worst {
			worst, where, t.Measured = max(g.NS, g.Bytes), g.Family, true
		}
	}
	t.Met = t.Measured && worst <= growthFactor
	t.Said = fmt.Sprintf("%.2fx on %s", worst, where)
	return t
}

// engineAdds compares a host with an engine with one without, over all recorded
// streams together, and without recordings by the worst generated one. The figure
// of each format, and the most expensive single stream, are reported as well.
func engineAdds(rs results, name string, factor float64) target {
	t := target{Name: fmt.Sprintf("%s at most %.1fx of %s", name, factor, namePlain)}
	hosts := map[string]float64{}
	for _, r := range rs {
		if r.Contender == namePlain {
			hosts[r.Stream] = r.Cost.CPU.Median
		}
	}
	var with, without float64
	var formats []string
	var worst row
	for _, r := range rs {
		switch {
		case r.Contender != name:
		case r.Stream == allName(wire.Format(r.Format)):
			// The cost of an answer in this format is the ratio of the rounds,
			// which says more than two medians.
			weight := max(hosts[r.Stream], 1) * float64(r.Chunks)
			without += weight
			with += weight * r.Host
			formats = append(formats, fmt.Sprintf("%s %.2fx", r.Format, r.Host))
		case r.Chunks >= enoughChunks && r.Host > worst.Host:
			worst = r
		}
	}
	over, where := worst.Host, worst.Stream
	if without > 0 {
		over, where = with/without, "all recorded streams ("+strings.Join(formats, ", ")+")"
	}
	t.Measured = over > 0
	t.Met = over <= factor
	t.Said = fmt.Sprintf("%.2fx on %s", over, where)
	if worst.Host > 0 && without > 0 {
		t.Said += fmt.Sprintf("; of single streams the most is %.2fx on %s", worst.Host, worst.Stream)
	}
	return t
}

// decides reports the slowest decision.
func decides(fs []figureRow) target {
	t := target{Name: fmt.Sprintf("a decision on 4 KB in less than %d us", decisionMicros)}
	var worst figureRow
	for _, f := range fs {
		if strings.HasPrefix(f.Name, figureDecision) && f.CPU.Median > worst.CPU.Median {
			worst, t.Measured = f, true
		}
	}
	t.Met = t.Measured && worst.CPU.Median < decisionMicros*1e3
	t.Said = fmt.Sprintf("%.1f us for %s", worst.CPU.Median/1e3, strings.TrimPrefix(worst.Name, figureDecision))
	return t
}

func searches(fs []figureRow) target {
	t := target{Name: fmt.Sprintf("50 patterns over at least %d MB/s of clean text", patternMBs)}
	for _, f := range fs {
		if f.Name == figureText {
			t.Measured, t.Met = true, f.MBs >= patternMBs
			t.Said = fmt.Sprintf("%.0f MB/s", f.MBs)
		}
	}
	return t
}

func linear(fs []figureRow) target {
	t := target{Name: fmt.Sprintf("twice the text costs at most %.1fx", twiceFactor)}
	for _, f := range fs {
		if f.Name == figureText && f.Twice > 0 {
			t.Measured, t.Met = true, f.Twice <= twiceFactor
			t.Said = fmt.Sprintf("%.2fx", f.Twice)
		}
	}
	return t
}
