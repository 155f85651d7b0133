package levels

import (
	"context"
	"errors"
	"image"
	"reflect"
	"testing"
)

// Red has the values 7, 0 and 9, green only 5, blue 1 and 2: three pixels have them all.
func TestFindsLevels(t *testing.T) {
	im := pixels([4]uint8{7, 5, 1, 50}, [4]uint8{0, 5, 2, 60}, [4]uint8{9, 5, 1, 50}, [4]uint8{7, 5, 2, 60})
	v := Of(im, false)
	few := v.Picture(2)
	if want := pixels([4]uint8{7, 5, 1, 255}, [4]uint8{0, 5, 2, 255}, [4]uint8{9, 5, 1, 255}, [4]uint8{7, 5, 1, 255}); v.Size() != 3 ||
		!reflect.DeepEqual(few.Pix, want.Pix) || few.Rect != image.Rect(0, 0, 2, 2) {
		t.Errorf("%d levels: %v", v.Size(), few)
	}
	for i := range few.Pix {
		few.Pix[i] += 100
	}
	got, err := v.Spread(t.Context(), few, nil)
	if want := pixels([4]uint8{107, 105, 101, 99}, [4]uint8{100, 105, 102, 99}, [4]uint8{109, 105, 101, 99},
		[4]uint8{107, 105, 102, 99}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v, %v", got, want, err)
	}
}

// Of alpha 60 there are the reds 3 and 4, of alpha 0 only 3: three pixels, those of the first pixel's alpha first.
func TestKeepsAlphasApart(t *testing.T) {
	im := pixels([4]uint8{3, 5, 1, 60}, [4]uint8{3, 5, 1, 0}, [4]uint8{4, 5, 1, 60})
	v := Of(im, true)
	few := v.Picture(3)
	if want := pixels([4]uint8{3, 5, 1, 60}, [4]uint8{4, 5, 1, 60}, [4]uint8{3, 5, 1, 0}); !reflect.DeepEqual(few, want) {
		t.Fatalf("%v, want %v", few, want)
	}
	copy(few.Pix, []byte{30, 50, 10, 6, 40, 50, 10, 6, 31, 51, 11, 9})
	want := pixels([4]uint8{30, 50, 10, 6}, [4]uint8{31, 51, 11, 9}, [4]uint8{40, 50, 10, 6})
	if got, err := v.Spread(t.Context(), few, im); err != nil || got != im || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v, %v", got, want, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := v.Spread(ctx, few, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func pixels(list ...[4]uint8) *image.NRGBA {
	im := image.NewNRGBA(image.Rect(0, 0, len(list), 1))
	for i, px := range list {
		copy(im.Pix[4*i:], px[:])
	}
	return im
}
