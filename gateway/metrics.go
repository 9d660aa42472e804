package gateway

import (
	"fmt"
	"io"
	rtmetrics "runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// metrics counts events for Prometheus. The zero value is ready.
type metrics struct {
	mu        sync.Mutex
	exchanges map[[2]string]int64 // by format and outcome
	verdicts  map[[2]string]int64 // by kind of block and action
	blocked   map[string]int64    // by policy
	would     map[string]int64    // by policy in shadow mode
	request   int64               // bytes
	answer    int64
	upstream  histogram // until the first byte from the upstream
	client    histogram // until the first byte to the client
	duration  histogram
	held      histogram
	canaries  map[[2]string]int64 // by format and outcome; not counted above
	reloads   reloads
}

// bounds of the histograms, in seconds.
var bounds = [...]float64{0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800}

type histogram struct {
	counts [len(bounds)]int64
	total  int64
	sum    float64
}

func (h *histogram) add(d time.Duration) {
	s := d.Seconds()
	h.total++
	h.sum += s
	for i, bound := range bounds {
		if s <= bound {
			h.counts[i]++
		}
	}
}

// count counts an event.
func (m *metrics) count(e Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.exchanges == nil {
		m.exchanges, m.verdicts = make(map[[2]string]int64), make(map[[2]string]int64)
		m.blocked, m.would = make(map[string]int64), make(map[string]int64)
		m.canaries = make(map[[2]string]int64)
	}
	if e.Exchange.Canary { // no model was asked
		if e.End != nil {
			m.canaries[[2]string{e.Exchange.Format, string(e.End.Outcome)}]++
		}
		return
	}
	switch {
	case e.Record != nil:
		r := e.Record
		m.verdicts[[2]string{r.Kind.String(), r.Verdict.Action.String()}]++
		if r.Verdict.Action.Blocks() {
			m.blocked[r.Verdict.Policy]++
		}
		for i := range r.Verdicts {
			if v := &r.Verdicts[i]; v.Shadow && !v.Action.Passes() {
				m.would[v.Policy]++
			}
		}
		if r.Held > 0 {
			m.held.add(r.Held)
		}
	case e.End != nil:
		m.exchanges[[2]string{e.Exchange.Format, string(e.End.Outcome)}]++
		m.request += e.End.RequestBytes
		m.answer += e.End.AnswerBytes
		m.duration.add(e.End.Duration)
		if e.End.UpstreamFirst > 0 {
			m.upstream.add(e.End.UpstreamFirst)
		}
		if e.End.ClientFirst > 0 {
			m.client.add(e.End.ClientFirst)
		}
	}
}

// write writes the metrics as text.
func (g *Gateway) writeMetrics(w io.Writer) {
	var b strings.Builder
	m := &g.metrics
	m.mu.Lock()
	family(&b, "sluice_exchanges_total", "counter", "Exchanges that ended, by dialect and outcome.")
	pairs(&b, "sluice_exchanges_total", "format", "outcome", m.exchanges)
	family(&b, "sluice_verdicts_total", "counter", "Verdicts on the parts of answers and requests, by kind of part and action.")
	pairs(&b, "sluice_verdicts_total", "kind", "action", m.verdicts)
	family(&b, "sluice_blocked_total", "counter", "Calls, texts and results that were denied, by the policy that denied them.")
	byPolicy(&b, "sluice_blocked_total", m.blocked)
	family(&b, "sluice_would_block_total", "counter", "Calls, texts and results that a policy in shadow mode would have denied, by policy.")
	byPolicy(&b, "sluice_would_block_total", m.would)
	family(&b, "sluice_request_bytes_total", "counter", "Bytes of requests.")
	fmt.Fprintf(&b, "sluice_request_bytes_total %d\n", m.request)
	family(&b, "sluice_answer_bytes_total", "counter", "Bytes of answers.")
	fmt.Fprintf(&b, "sluice_answer_bytes_total %d\n", m.answer)
	m.upstream.write(&b, "sluice_upstream_first_byte_seconds", "Time until the first byte from the upstream.")
	m.client.write(&b, "sluice_client_first_byte_seconds", "Time until the first byte to the client.")
	m.duration.write(&b, "sluice_exchange_seconds", "Duration of exchanges.")
	m.held.write(&b, "sluice_held_seconds", "Time for which blocks were held.")
	family(&b, "sluice_canaries_total", "counter", "Canaries that ended, by dialect and outcome; they are not counted as exchanges.")
	pairs(&b, "sluice_canaries_total", "format", "outcome", m.canaries)
	m.mu.Unlock()
	family(&b, "sluice_exchanges_open", "gauge", "Exchanges in progress.")
	fmt.Fprintf(&b, "sluice_exchanges_open %d\n", g.Open())
	goroutines, heap := runtimeLoad()
	family(&b, "sluice_goroutines", "gauge", "Goroutines of the process.")
	fmt.Fprintf(&b, "sluice_goroutines %d\n", goroutines)
	family(&b, "sluice_heap_bytes", "gauge", "Bytes of objects on the heap of the process, those that are not yet collected included.")
	fmt.Fprintf(&b, "sluice_heap_bytes %d\n", heap)
	family(&b, "sluice_live_events_lost_total", "counter", "Live events that slow listeners did not get.")
	fmt.Fprintf(&b, "sluice_live_events_lost_total %d\n", g.hub.lost.Load())
	family(&b, "sluice_policies_info", "gauge", "The policies that are enforced.")
	fmt.Fprintf(&b, "sluice_policies_info{version=%s} 1\n", quote(g.config.Policies.Load().Version()))
	good, refused, standing := m.reloads.told()
	family(&b, "sluice_policy_reloads_total", "counter", "Reloads of policies, by outcome.")
	fmt.Fprintf(&b, "sluice_policy_reloads_total{result=\"good\"} %d\nsluice_policy_reloads_total{result=\"refused\"} %d\n", good, refused)
	family(&b, "sluice_policies_refused", "gauge", "1 while newer policies are refused and the last good ones stay in force.")
	fmt.Fprintf(&b, "sluice_policies_refused %d\n", truth(standing != nil))
	family(&b, "sluice_storage_failing", "gauge", "1 while records, such as the audit log, cannot be written.")
	fmt.Fprintf(&b, "sluice_storage_failing %d\n", truth(g.storageFailure() != nil))
	_, _ = io.WriteString(w, b.String())
}

// runtimeLoad returns the number of goroutines and the heap size, without
// stopping the world.
func runtimeLoad() (goroutines, heap uint64) {
	samples := [...]rtmetrics.Sample{{Name: "/sched/goroutines:goroutines"}, {Name: "/memory/classes/heap/objects:bytes"}}
	rtmetrics.Read(samples[:])
	for i, into := range []*uint64{&goroutines, &heap} {
		if samples[i].Value.Kind() == rtmetrics.KindUint64 {
			*into = samples[i].Value.Uint64()
		}
	}
	return goroutines, heap
}

func truth(is bool) int {
	if is {
		return 1
	}
	return 0
}

func family(b *strings.Builder, name, kind, help string) {
	fmt.Fprintf(b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

func (h *histogram) write(b *strings.Builder, name, help string) {
	family(b, name, "histogram", help)
	for i, bound := range bounds {
		fmt.Fprintf(b, "%s_bucket{le=\"%s\"} %d\n", name, strconv.FormatFloat(bound, 'g', -1, 64), h.counts[i])
	}
	fmt.Fprintf(b, "%s_bucket{le=\"+Inf\"} %d\n%s_sum %g\n%s_count %d\n", name, h.total, name, h.sum, name, h.total)
}

func pairs(b *strings.Builder, name, first, second string, values map[[2]string]int64) {
	keys := make([][2]string, 0, len(values))
	for key := range values {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b [2]string) int {
		if c := strings.Compare(a[0], b[0]); c != 0 {
			return c
		}
		return strings.Compare(a[1], b[1])
	})
	for _, key := range keys {
		fmt.Fprintf(b, "%s{%s=%s,%s=%s} %d\n", name, first, quote(key[0]), second, quote(key[1]), values[key])
	}
}

func byPolicy(b *strings.Builder, name string, values map[string]int64) {
	for _, policy := range sortedKeys(values) {
		fmt.Fprintf(b, "%s{policy=%s} %d\n", name, quote(policy), values[policy])
	}
}

func sortedKeys(values map[string]int64) []string {
	keys := make([]string, 0, len(values))
	for key := range values {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// quote writes a label's value.
func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text) + `"`
}
