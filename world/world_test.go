package world

import "testing"

func TestFormatIsNamedByWhatItHas(t *testing.T) {
	for want, f := range map[string]Format{
		"IBSP 46": {Ident: "IBSP", Version: 46}, "30": {Version: 30}, "BSP2": {Ident: "BSP2"}, "": {},
	} {
		if got := f.String(); got != want {
			t.Errorf("%+v: %q, want %q", f, got, want)
		}
	}
}
