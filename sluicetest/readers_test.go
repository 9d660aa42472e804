package sluicetest_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/sluicetest"
)

func TestFaultyReadersGiveTheSameBytes(t *testing.T) {
	t.Parallel()
	data := []byte(strings.Repeat("data: äöü\r\n\r\n", 200))
	for seed := range uint64(20) {
		got, err := io.ReadAll(sluicetest.Chopped(data, rand.New(rand.NewPCG(seed, 0))))
		if err != nil || !bytes.Equal(got, data) {
			t.Fatalf("seed %d: %d bytes of %d, error %v", seed, len(got), len(data), err)
		}
	}
	got, err := io.ReadAll(sluicetest.OneByte(data))
	if err != nil || !bytes.Equal(got, data) {
		t.Fatalf("%d bytes of %d, error %v", len(got), len(data), err)
	}
	if n, _ := sluicetest.OneByte(data).Read(make([]byte, 10)); n != 1 {
		t.Errorf("OneByte gives %d bytes", n)
	}
}

func TestCutAtBreaksTheConnection(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for _, c := range []struct {
		n         int
		err, want error
		text      string
	}{
		{2, broken, broken, "ab"},
		{2, nil, io.ErrUnexpectedEOF, "ab"},
		{2, io.EOF, nil, "ab"},
		{99, broken, broken, "abc"},
		{-1, broken, broken, ""},
	} {
		got, err := io.ReadAll(sluicetest.CutAt([]byte("abc"), c.n, c.err))
		if string(got) != c.text || !errors.Is(err, c.want) {
			t.Errorf("CutAt(%d, %v) gives %q and %v", c.n, c.err, got, err)
		}
	}
}
