package classes

import "testing"

func TestLampOf(t *testing.T) {
	for _, c := range []struct {
		f     Family
		class string
		want  Lamp
	}{
		{Quake3, "Light", PointLamp},
		{Quake3, "light_spot", OtherLamp},
		{Source, "light", PointLamp},
		{Source, "LIGHT_SPOT", SpotLamp},
		{Source, "light_environment", SunLamp},
		{Source, "light_dynamic", OtherLamp},
		{GoldSrc, "light_environment", SunLamp},
		{Quake, "light_environment", SpotLamp},
		{Quake, "light_torch_small_walltorch", PointLamp},
		{Quake2, "light_mine1", PointLamp},
		{Quake2, "light_spot", SpotLamp},
		{GoldSrc, "lightning", PointLamp},
		{Source, "ligh", NoLamp},
		{Source, "env_light", NoLamp},
		{Quake, "", NoLamp},
	} {
		if got := LampOf(c.f, c.class); got != c.want {
			t.Errorf("%d %s: %d, want %d", c.f, c.class, got, c.want)
		}
	}
	if !HasStyle("light_dynamic") || HasStyle("func_light") {
		t.Error("a class that starts with light has a style, another has none")
	}
}
