package scene_test

import (
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

func TestTransforms(t *testing.T) {
	// 90 degrees about Y.
	parent := scene.NewTransform([3]float64{1, 2, 3}, [4]float64{0, math.Sqrt2 / 2, 0, math.Sqrt2 / 2}, [3]float64{1, 1, 1})
	child := scene.NewTransform([3]float64{10, 0, 0}, [4]float64{0, 0, 0, 1}, [3]float64{2, 1, 1})
	// (1, 1, 0) is stretched to (2, 1, 0), moved to (12, 1, 0), turned to (0, 1, -12) and moved to (1, 3, -9).
	if got := parent.Then(child).Point([3]float64{1, 1, 0}); !scenetest.Near(got, [3]float64{1, 3, -9}) {
		t.Errorf("the point is at %v", got)
	}
	// A slope of 45 degrees in X becomes half as steep when X is stretched to twice: its normal is (1, 2, 0), turned.
	l := math.Sqrt(5)
	if got := parent.Then(child).Normal([3]float64{math.Sqrt2 / 2, math.Sqrt2 / 2, 0}); !scenetest.Near(got, [3]float64{0, 2 / l, -1 / l}) {
		t.Errorf("the normal is %v", got)
	}
	mirror := scene.NewTransform([3]float64{}, [4]float64{0, 0, 0, 1}, [3]float64{-1, 1, 1})
	if got := mirror.Normal([3]float64{1, 0, 0}); !scenetest.Near(got, [3]float64{-1, 0, 0}) || !mirror.Mirrors() || parent.Mirrors() {
		t.Errorf("the mirrored normal is %v", got)
	}
	flat := scene.NewTransform([3]float64{}, [4]float64{0, 0, 0, 1}, [3]float64{0, 0, 0})
	if got := flat.Normal([3]float64{0, 1, 0}); got != [3]float64{0, 1, 0} {
		t.Errorf("the normal of what has no size is %v", got)
	}
}
