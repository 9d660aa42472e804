package text_test
import ("testing";"github.com/sluice-project/sluice/policy/text")
func TestTmp(t *testing.T) {
	for c := range 6 { for cr := range 6 { for bl := 1; bl<5; bl++ { for p := range 5 {
	chain := compile(t, rule("\n", `QX`), rule("[r]", `s\z`))
	chain.Cramp(c, 64*cr, bl, p)
	got, _, err := flow(chain, text.StreamOptions{}, "s\xe2", []int{0,1})
	if got != "s\xe2" { t.Log(c,cr,bl,p, got, err) }
	}}}}
}
