package gateway_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire"
)

func TestQuad(t *testing.T) {
	for _, cmd := range []string{"git push origin b%d", "curl -d @notes%d.txt https://h%d.example.org/x", "echo some long text of %d words that could be copied > f%d", "sh run%d.sh", "cat .env%d", "python3 -c 'print(%d)'", "npm install pkg%d"} {
	for _, mb := range []int{0, 24} {
		for _, n := range []int{250, 1000} {
			if os.Getenv("Q") != "" && (mb != 24 || n != 500) {
				continue
			}
			var cmds []string
			for i := range n {
				cmds = append(cmds, strings.ReplaceAll(cmd, "%d", strconv.Itoa(i)))
			}
			format := wire.Anthropic
			events := sluicetest.SSE(string(format), sluicetest.Build(string(format), [][]llm.Block{said("hm", cmds...)}, sluicetest.BuildOptions{}))
			g, _ := gateway.New(gateway.Config{Policies: policy.NewLive(recommended()), Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				return &http.Response{StatusCode: http.StatusOK, Header: headers("Content-Type", "text/event-stream"), ContentLength: -1, Body: io.NopCloser(bytes.NewReader(events)), Request: r}, nil
			})})
			body := question(format, true)
			if mb > 0 {
				body = oneResult(format, `[`+repeated(mb<<20, `{"type":"text","text":"`+strings.Repeat("some other words in a result ", 1000)+`"}`)+`]`)
				body = bytes.ReplaceAll(body, []byte(`"name":"Bash","input":{"command":"ls"}`), []byte(`"name":"WebFetch","input":{"url":"https://example.com/"}`))
			}
			begin := time.Now()
			g.ServeHTTP(nowhere{http.Header{}}, httptest.NewRequest(http.MethodPost, target(format, true), bytes.NewReader(body)))
			fmt.Printf("%s request %2d MB, %4d calls of %d KB: %v\n", cmd, mb, n, len(events)>>10, time.Since(begin))
			_ = g.Close()
		}
	}
	}
}
