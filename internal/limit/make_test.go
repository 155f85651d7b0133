package limit_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

type record struct {
	a int64
	_ [3]byte // 16 bytes with what aligns the next
}

func TestMakeReservesWhatItMakes(t *testing.T) {
	b := limit.NewBudget(limit.Limits{MaxMemory: 160})
	s, err := limit.Make[record](b, 10, "records")
	if err != nil || len(s) != 10 || b.Reserved() != 160 {
		t.Fatalf("%d records, %d bytes, %v", len(s), b.Reserved(), err)
	}
	if s, err := limit.Make[byte](b, 1, "one more"); !errors.Is(err, limit.ErrLimit) || s != nil ||
		!strings.HasPrefix(err.Error(), "one more: 161 ") {
		t.Error(err)
	}
	for _, n := range []int{-1, math.MaxInt} {
		if _, err := limit.Make[record](b, n, ""); !errors.Is(err, limit.ErrLimit) {
			t.Errorf("%d: %v", n, err)
		}
	}
	if b.Reserved() != 160 {
		t.Errorf("%d bytes are reserved after what failed", b.Reserved())
	}
}

func TestAppendReservesTheSliceItGrows(t *testing.T) {
	b := limit.NewBudget(limit.Limits{MaxMemory: 16 * 5000})
	var s []record
	var err error
	for i := range 1000 {
		if s, err = limit.Append(b, s, "records", record{a: int64(i)}); err != nil {
			t.Fatal(err)
		}
		if b.Reserved() != 16*int64(cap(s)) {
			t.Fatalf("%d bytes for a capacity of %d", b.Reserved(), cap(s))
		}
	}
	if s[999].a != 999 || cap(s) > 2000 {
		t.Errorf("%v, capacity %d", s[999], cap(s))
	}
	before := len(s)
	if s, err = limit.Append(b, s, "records", make([]record, 5000)...); !errors.Is(err, limit.ErrLimit) || len(s) != before {
		t.Errorf("%d records, %v", len(s), err)
	}
}

func TestBytes(t *testing.T) {
	if got := [...]int64{limit.Bytes[record](3), limit.Bytes[struct{}](9), limit.Bytes[int32](-1),
		limit.Bytes[record](math.MaxInt)}; got != [...]int64{48, 0, 0, math.MaxInt64} {
		t.Error(got)
	}
}

func TestExpectMakesRoomWithinTheBudget(t *testing.T) {
	b := limit.NewBudget(limit.Limits{MaxMemory: 100})
	s := limit.Expect(b, []int64{1}[:1:1], 9)
	if cap(s) != 10 || len(s) != 1 || s[0] != 1 || b.Reserved() != 72 {
		t.Errorf("%d of %d, %d bytes reserved", len(s), cap(s), b.Reserved())
	}
	if same := limit.Expect(b, s, 9); &same[0] != &s[0] || b.Reserved() != 72 {
		t.Error("grown though there was room")
	}
	if same := limit.Expect(b, s, 100); &same[0] != &s[0] || b.Reserved() != 72 {
		t.Error("grown beyond the budget")
	}
	if same := limit.Expect(b, s, -1); &same[0] != &s[0] {
		t.Error("grown by less than nothing")
	}
}
