package agent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/model/scripted"
)

type place struct {
	City    string   `json:"city"              jsonschema:"the name of the city"`
	Country string   `json:"country,omitempty" jsonschema:"two letters"`
	Days    int8     `json:"days,omitzero"`
	Tags    []string `json:"tags,omitempty"`
}

func call(t *testing.T, tool *agent.Tool, arguments string) (agent.Output, error) {
	t.Helper()
	if tool.Run == nil {
		t.Fatalf("%s cannot be run", tool.Name)
	}
	return tool.Run(t.Context(), agent.Call{Name: tool.Name, Arguments: json.RawMessage(arguments)})
}

func TestNewToolTellsTheSchemaOfItsArguments(t *testing.T) {
	noop := func(context.Context, place) (string, error) { return "", nil }
	const want = `{"type":"object","properties":{` +
		`"city":{"type":"string","description":"the name of the city"},` +
		`"country":{"type":"string","description":"two letters"},` +
		`"days":{"type":"integer","minimum":-128,"maximum":127},` +
		`"tags":{"type":["null","array"],"items":{"type":"string"}}},` +
		`"required":["city"],"additionalProperties":false}`
	for range 20 { // the same bytes each time: a prompt cache depends on it
		if got := string(agent.NewTool("weather", "", noop).Schema); !sameJSON(t, got, want) {
			t.Fatalf("the schema is %s", got)
		}
	}
	first := agent.NewTool("weather", "", noop).Schema
	for range 20 {
		if got := agent.NewTool("weather", "", noop).Schema; string(got) != string(first) {
			t.Fatalf("the bytes differ: %s and %s", first, got)
		}
	}
	none := agent.NewTool("now", "", func(context.Context, struct{}) (string, error) { return "", nil })
	if got := string(none.Schema); !sameJSON(t, got, `{"type":"object","properties":{},"additionalProperties":false}`) {
		t.Errorf("the schema of no arguments is %s", got)
	}
}

func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var x, y any
	if err := errors.Join(json.Unmarshal([]byte(a), &x), json.Unmarshal([]byte(b), &y)); err != nil {
		t.Fatal(err)
	}
	p, _ := json.Marshal(x)
	q, _ := json.Marshal(y)
	return bytes.Equal(p, q)
}

func TestNewToolTellsTheModelWhatIsWrongWithItsArguments(t *testing.T) {
	type nested struct {
		Stops []place        `json:"stops"`
		Extra map[string]int `json:"extra,omitempty"`
	}
	calls := 0
	weather := agent.NewTool("weather", "", func(context.Context, place) (string, error) { calls++; return "", nil })
	route := agent.NewTool("route", "", func(context.Context, nested) (string, error) { calls++; return "", nil })
	now := agent.NewTool("now", "", func(context.Context, struct{}) (string, error) { calls++; return "", nil })
	for name, tc := range map[string]struct {
		tool      *agent.Tool
		arguments string
		want      string
	}{
		"a property of another type":   {weather, `{"city":5}`, "city: want string, got integer 5"},
		"a missing property":           {weather, `{}`, `the arguments: the property "city", a string, is missing`},
		"an unknown property":          {weather, `{"city":"Rome","town":1}`, `there is no property "town": use "city", "country", "days", "tags"`},
		"another case of letters":      {weather, `{"City":"Rome","city":"Rome"}`, `there is no property "City"`},
		"null for a string":            {weather, `{"city":null}`, "city: want string, got null"},
		"an object for a string":       {weather, `{"city":{"a":1}}`, "city: want string, got object"},
		"a number out of range":        {weather, `{"city":"Rome","days":300}`, "days: must be at most 127, got 300"},
		"a fraction":                   {weather, `{"city":"Rome","days":1.5}`, "days: want integer, got number 1.5"},
		"a whole number with a point":  {weather, `{"city":"Rome","days":1.0}`, "days: want a int8, got number 1.0"},
		"a number that no float holds": {weather, `{"city":"Rome","days":1e999}`, "days: want integer, got number 1e999"},
		"an item of a list":            {weather, `{"city":"Rome","tags":["a",2]}`, "tags[1]: want string, got integer 2"},
		"something below":              {route, `{"stops":[{"city":"Rome"},{"city":7}]}`, "stops[1].city: want string, got integer 7"},
		"a value of a map":             {route, `{"stops":[],"extra":{"x":"y"}}`, `extra.x: want integer, got string "y"`},
		"arguments where none are":     {now, `{"zone":"UTC"}`, `there is no property "zone": there is none`},
		"no object":                    {weather, `[1]`, "not an object"},
		"no JSON":                      {weather, `{"city":`, "in the middle"},
		"a key twice":                  {weather, `{"city":"a","city":"b"}`, "key"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := call(t, tc.tool, tc.arguments)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("the model is told %v, want %q in it", err, tc.want)
			}
			if !strings.HasPrefix(err.Error(), "not run: ") || !strings.Contains(err.Error(), tc.tool.Name) {
				t.Errorf("it is not told what to do: %v", err)
			}
		})
	}
	if calls != 0 {
		t.Errorf("a function was called %d times", calls)
	}
	long := `{"city":"Rome","` + strings.Repeat("x", 1<<20) + `":1}`
	if _, err := call(t, weather, long); err == nil || len(err.Error()) > 1000 {
		t.Errorf("a long name is told in %d bytes", len(fmt.Sprint(err)))
	}
	long = `{"city":"Rome","tags":"` + strings.Repeat("x", 1<<20) + `"}`
	if _, err := call(t, weather, long); err == nil || len(err.Error()) > 1000 {
		t.Errorf("a long value is told in %d bytes", len(fmt.Sprint(err)))
	}
}

func TestNewToolDecodesItsArguments(t *testing.T) {
	type everything struct {
		Any    any             `json:"any"`
		Number json.Number     `json:"number"`
		Int    int64           `json:"int"`
		Big    *big.Int        `json:"big"`
		Raw    json.RawMessage `json:"raw"`
		Bytes  []byte          `json:"bytes"`
		Time   time.Time       `json:"time"`
		Addr   netip.Addr      `json:"addr"`
		Addrs  []*netip.Addr   `json:"addrs"`
	}
	var got everything
	tool := agent.NewTool("all", "", func(_ context.Context, in everything) (struct{}, error) {
		got = in
		return struct{}{}, nil
	})
	out, err := call(t, tool, `{"any":[12345678901234567890123,{"a":0.10}],"number":1.50,"int":9007199254740993,`+
		`"big":12345678901234567890123,"raw":{"b":[1, 2]},"bytes":"aGk=","time":"2024-05-06T07:08:09Z","addr":"127.0.0.1","addrs":["::1"]}`)
	if err != nil || out.Text != "done" {
		t.Fatal(out, err)
	}
	if s := fmt.Sprintln(got.Any, got.Number, got.Int, got.Big, string(got.Raw), string(got.Bytes), got.Time, got.Addr, got.Addrs[0]); s !=
		`[12345678901234567890123 map[a:0.10]] 1.50 9007199254740993 12345678901234567890123 {"b":[1, 2]} hi 2024-05-06 07:08:09 +0000 UTC 127.0.0.1 ::1`+"\n" {
		t.Errorf("decoded %s", s)
	}
	for _, bad := range []string{`"time":"yesterday"`, `"addr":"nowhere"`, `"int":9223372036854775808`} {
		name, _, _ := strings.Cut(bad, ":")
		all := map[string]string{`"any"`: "0", `"number"`: "0", `"int"`: "0", `"big"`: "0", `"raw"`: "0", `"bytes"`: `""`, `"time"`: `"2024-05-06T07:08:09Z"`, `"addr"`: `"::1"`, `"addrs"`: "[]"}
		delete(all, name)
		text := "{" + bad
		for k, v := range all {
			text += "," + k + ":" + v
		}
		if _, err := call(t, tool, text+"}"); err == nil || !strings.HasPrefix(err.Error(), "not run: ") {
			t.Errorf("%s is told as %v", bad, err)
		}
	}
}

func TestNewToolTellsWhatIsWrongWithItself(t *testing.T) {
	type recursive struct {
		Next *recursive `json:"next"`
	}
	type nothing = struct{}
	for name, tc := range map[string]struct {
		tool *agent.Tool
		want string
	}{
		"arguments that are a string":  {agent.NewTool("x", "", func(context.Context, string) (nothing, error) { return nothing{}, nil }), "a struct, or a map"},
		"arguments that are a list":    {agent.NewTool("x", "", func(context.Context, []int) (nothing, error) { return nothing{}, nil }), "a struct, or a map"},
		"arguments that are a pointer": {agent.NewTool("x", "", func(context.Context, *place) (nothing, error) { return nothing{}, nil }), "a struct, or a map"},
		"arguments that are anything":  {agent.NewTool("x", "", func(context.Context, any) (nothing, error) { return nothing{}, nil }), "a struct, or a map"},
		"a time":                       {agent.NewTool("x", "", func(context.Context, time.Time) (nothing, error) { return nothing{}, nil }), "not an object"},
		"a map with other keys":        {agent.NewTool("x", "", func(context.Context, map[int]string) (nothing, error) { return nothing{}, nil }), "key"},
		"a channel":                    {agent.NewTool("x", "", func(context.Context, struct{ C chan int }) (nothing, error) { return nothing{}, nil }), "unsupported"},
		"a type in itself":             {agent.NewTool("x", "", func(context.Context, recursive) (nothing, error) { return nothing{}, nil }), "cycle"},
		"no function":                  {agent.NewTool[place, nothing]("x", "", nil), "nil"},
		"no name":                      {agent.NewTool("", "", func(context.Context, place) (nothing, error) { return nothing{}, nil }), "no name"},
		"a bad name":                   {agent.NewTool("the weather", "", func(context.Context, place) (nothing, error) { return nothing{}, nil }), "letters"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := agent.New(agent.Config{Model: scripted.New(), Tools: []*agent.Tool{tc.tool}})
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("New says %v, want %q in it", err, tc.want)
			}
		})
	}
}

func TestCheckedComparesArgumentsWithTheSchemaOfATool(t *testing.T) {
	tool := &agent.Tool{
		Name:   "pick",
		Schema: json.RawMessage(`{"type":"object","properties":{"n":{"$ref":"#/$defs/n"},"c":{"enum":["a","b"]},"p":{"pattern":"^x+$"}},"$defs":{"n":{"type":"integer"}}}`),
		Run:    func(context.Context, agent.Call) (agent.Output, error) { return agent.Output{Text: "ran"}, nil },
	}
	checked, err := agent.Checked(tool)
	if err != nil {
		t.Fatal(err)
	}
	for arguments, want := range map[string]string{
		`{}`: "", ``: "", `{"n":1,"c":"a","p":"xx","other":1}`: "",
		`{"n":"1"}`: "integer", `{"c":"d"}`: `c: must be one of "a", "b", got "d"`, `{"p":"y"}`: "pattern",
	} {
		out, err := call(t, checked, arguments)
		switch {
		case want == "" && (err != nil || out.Text != "ran"):
			t.Errorf("%s: %v %v", arguments, out, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %q in it", arguments, err, want)
		}
	}
	if _, err := agent.Checked(nil); err == nil {
		t.Error("a nil tool is taken")
	}
}

func TestCheckedComparesWithSchemasOfTrees(t *testing.T) {
	checked, err := agent.Checked(&agent.Tool{
		Name:   "tree",
		Schema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"},"next":{"anyOf":[{"$ref":"#"},{"$ref":"#here"}]}},"$defs":{"x":{"$anchor":"here","type":"null"}}}`),
		Run:    func(context.Context, agent.Call) (agent.Output, error) { return agent.Output{Text: "ran"}, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	for arguments, want := range map[string]string{
		`{"n":1,"next":{"n":2,"next":null}}`:                              "",
		`{"n":1,"next":{"n":2,"next":7}}`:                                 "next.next: want null or object, got integer 7",
		`{"n":1,"next":{"n":2,"next":{"n":0.5}}}`:                         "next.next.n: want integer, got number 0.5",
		strings.Repeat(`{"next":`, 200) + "{}" + strings.Repeat("}", 200): "too deep",
	} {
		out, err := call(t, checked, arguments)
		switch {
		case want == "" && (err != nil || out.Text != "ran"):
			t.Errorf("%s: %v %v", arguments, out, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%.100s: %v, want %q in it", arguments, err, want)
		}
	}
}

func TestCheckedRefusesSchemasThatCostTooMuch(t *testing.T) {
	doubling := `{"$defs":{"a0":{}`
	for i := range 60 {
		doubling += fmt.Sprintf(`,"a%d":{"anyOf":[{"$ref":"#/$defs/a%d"},{"$ref":"#/$defs/a%d"}]}`, i+1, i, i)
	}
	doubling += `},"$ref":"#/$defs/a60"}`
	for name, schema := range map[string]string{
		"itself":             `{"$ref":"#"}`,
		"two in a circle":    `{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"}`,
		"doubling":           doubling,
		"deep":               strings.Repeat(`{"not":`, 1000) + "{}" + strings.Repeat("}", 1000),
		"large":              `{"description":"` + strings.Repeat("x", 300<<10) + `"}`,
		"another document":   `{"$ref":"https://example.org/schema"}`,
		"a file":             `{"$ref":"file:///etc/passwd"}`,
		"nothing":            `{"$ref":"#/$defs/none"}`,
		"no such anchor":     `{"$ref":"#here","$defs":{"x":{"$anchor":"there"}}}`,
		"a circle by choice": `{"anyOf":[{"type":"string"},{"$ref":"#"}]}`,
		"dynamic":            `{"$dynamicRef":"#x","$dynamicAnchor":"x"}`,
		"a heavy pattern":    `{"properties":{"a":{"pattern":"((a{20}){30}){60}b"}}}`,
		"a bad pattern":      `{"properties":{"a":{"pattern":"("}}}`,
		"heavy names":        `{"patternProperties":{"((a{20}){30}){60}b":{}}}`,
		"a type that is not": `{"type":7}`,
		"parts that are nil": `{"properties":{"a":null}}`,
	} {
		t.Run(name, func(t *testing.T) {
			tool := &agent.Tool{Name: "x", Schema: json.RawMessage(schema), Run: func(context.Context, agent.Call) (agent.Output, error) { return agent.Output{}, nil }}
			if _, err := agent.Checked(tool); err == nil {
				t.Error("it is taken")
			}
		})
	}
}

func FuzzNewToolNeverPanicsOnArguments(f *testing.F) {
	type inner struct {
		N *float64 `json:"n,omitempty"`
		A any      `json:"a,omitempty"`
	}
	type in struct {
		place
		Inner []inner         `json:"inner,omitempty"`
		Map   map[string]int8 `json:"map,omitempty"`
		Raw   json.RawMessage `json:"raw,omitempty"`
	}
	for _, s := range []string{``, `{}`, `{"city":"x"}`, `{"city":"x","inner":[{"n":1e400,"a":{"b":[]}}],"map":{"":1}}`, `{"city":1}`, `[`, `{"city":"x","raw":null}`} {
		f.Add([]byte(s))
	}
	tool := agent.NewTool("x", "", func(_ context.Context, v in) (in, error) { return v, nil })
	f.Fuzz(func(t *testing.T, data []byte) {
		out, err := tool.Run(t.Context(), agent.Call{Name: "x", Arguments: data})
		if err != nil && len(err.Error()) > 2000 {
			t.Errorf("the model is told %d bytes", len(err.Error()))
		}
		if err == nil && !json.Valid([]byte(out.Text)) {
			t.Errorf("%q is not JSON", out.Text)
		}
	})
}

func FuzzCheckedNeverPanics(f *testing.F) {
	f.Add([]byte(`{"type":"object","properties":{"a":{"type":["string","null"]}}}`), []byte(`{"a":1}`))
	f.Add([]byte(`{"$ref":"#/properties/a","properties":{"a":{"not":{}}}}`), []byte(`{"a":[1,1]}`))
	f.Add([]byte(`{"properties":{"a":{"uniqueItems":true,"contains":{"const":null}}},"dependentSchemas":{"a":false}}`), []byte(`{"a":[1,1,null]}`))
	f.Fuzz(func(t *testing.T, schema, data []byte) {
		tool := &agent.Tool{Name: "x", Schema: schema, Run: func(context.Context, agent.Call) (agent.Output, error) { return agent.Output{}, nil }}
		checked, err := agent.Checked(tool)
		if err != nil {
			return
		}
		_, _ = checked.Run(t.Context(), agent.Call{Name: "x", Arguments: data})
	})
}

func BenchmarkNewTool(b *testing.B) {
	tool := agent.NewTool("weather", "", func(_ context.Context, in place) (string, error) { return in.City, nil })
	c := agent.Call{Name: "weather", Arguments: json.RawMessage(`{"city":"Paris","country":"FR","days":3}`)}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := tool.Run(b.Context(), c); err != nil {
			b.Fatal(err)
		}
	}
}

func ExampleNewTool() {
	type question struct {
		City string `json:"city" jsonschema:"the name of the city"`
	}
	type answer struct {
		Sky     string `json:"sky"`
		Celsius int    `json:"celsius"`
	}
	weather := agent.NewTool("weather", "The weather in a city, now.",
		func(_ context.Context, q question) (answer, error) {
			if q.City != "Paris" {
				return answer{}, fmt.Errorf("nothing is known about %s", q.City)
			}
			return answer{Sky: "clear", Celsius: 21}, nil
		})
	weather.Timeout = 10 * time.Second

	for _, arguments := range []string{`{"city":"Paris"}`, `{"town":"Paris"}`} {
		out, err := weather.Run(context.Background(), agent.Call{Name: "weather", Arguments: json.RawMessage(arguments)})
		fmt.Println(out.Text, err)
	}
	// Output:
	// {"sky":"clear","celsius":21} <nil>
	//  not run: the arguments: the property "city", a string, is missing. Call weather again with arguments that fit its schema
}
