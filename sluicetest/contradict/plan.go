package contradict

import (
	"math/rand/v2"
	"slices"

	"github.com/sluice-project/sluice/sluicetest"
)

// Plan is the recipe of an answer. It is data: removing a block or a step gives a
// smaller answer of the same kind, which is how a failure is shrunk.
type Plan struct {
	// Dialect is one of [sluicetest.Formats].
	Dialect string
	// Seed is the seed that the plan was generated from.
	Seed uint64
	// Whole makes one body instead of a stream.
	Whole  bool
	Blocks []Block
	Steps  []Step
}

// Step is one contradiction and the seed of its details.
type Step struct {
	// Name is that of a [Contradiction].
	Name string
	Seed uint64
}

// NewPlan generates a plan: the same for the same dialect and seed. One in five has no
// contradiction, the others have up to four. An unknown dialect panics.
func NewPlan(dialect string, seed uint64) Plan {
	r := random(seed)
	p := Plan{Dialect: dialect, Seed: seed, Whole: r.IntN(4) == 0}
	shape := shapeOf(dialect)
	for i := range 1 + r.IntN(4) {
		b := Block{Kind: shape.kinds[r.IntN(len(shape.kinds))], Number: i + 1, Seed: r.Uint64()}
		if i == 0 && r.IntN(2) == 0 {
			b.Kind = ToolCall
		}
		types := shape.types[b.Kind]
		if len(types) > 0 {
			b.Type = types[r.IntN(len(types))]
		}
		if b.Kind == ToolCall {
			b.Forbidden = []Forbidden{0, 0, ByArguments, ByArguments, ByName}[r.IntN(5)]
		}
		if shape.choices {
			b.Choice = r.IntN(4) / 3
		}
		p.Blocks = append(p.Blocks, b)
	}
	table := For(dialect, p.Whole)
	for range r.IntN(5) {
		p.Steps = append(p.Steps, Step{Name: table[r.IntN(len(table))].Name, Seed: r.Uint64()})
	}
	return p
}

// New returns the answer of the plan generated from a seed.
func New(dialect string, seed uint64) Answer { return NewPlan(dialect, seed).Answer() }

// Answer builds the answer. The same plan gives the same bytes.
func (p Plan) Answer() Answer {
	d := &draft{dialect: p.Dialect, whole: p.Whole, number: 100}
	shapeOf(p.Dialect).build(d, fromFirstChoice(p.Blocks))
	a := Answer{Plan: p, WellFormed: true}
	for _, step := range p.Steps {
		c, known := byName[p.Dialect][step.Name]
		if !known || len(d.events) == 0 || p.Whole && !c.whole || !p.Whole && !c.streamed {
			continue
		}
		d.Rand = random(step.Seed)
		calls := len(d.calls)
		if !c.apply(d) {
			d.calls = d.calls[:calls] // calls that were planned but not added
		} else {
			a.Applied = append(a.Applied, c.Name)
			a.WellFormed = a.WellFormed && c.Usual
		}
	}
	a.Calls, a.Texts, a.Thinking = d.calls, d.texts, d.thinking
	a.Events = d.finish()
	return a
}

// random is a deterministic random source.
func random(seed uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // a test wants the same bytes again
}

// fromFirstChoice lets choices count from 0, whichever of them have blocks.
func fromFirstChoice(blocks []Block) []Block {
	if slices.ContainsFunc(blocks, func(b Block) bool { return b.Choice == 0 }) {
		return blocks
	}
	blocks = slices.Clone(blocks)
	for i := range blocks {
		blocks[i].Choice = 0
	}
	return blocks
}

// shape is what a dialect has.
type shape struct {
	kinds   []Kind
	types   map[Kind][]string
	choices bool
	build   func(d *draft, blocks []Block)
}

func shapeOf(dialect string) *shape {
	switch dialect {
	case sluicetest.OpenAIChat:
		return &chatShape
	case sluicetest.OpenAIResponses:
		return &responsesShape
	case sluicetest.Anthropic:
		return &anthropicShape
	case sluicetest.Gemini:
		return &geminiShape
	default:
		panic("contradict: unknown dialect " + dialect + ": use one of sluicetest.Formats")
	}
}
