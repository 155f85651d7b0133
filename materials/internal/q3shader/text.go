package q3shader

import (
	"fmt"
	"strings"
)

func (f AlphaFunc) String() string { return [...]string{"all", "gt0", "lt128", "ge128", "ge192"}[f] }

func (k GenKind) String() string {
	return [...]string{
		"identity", "identityLighting", "entity", "oneMinusEntity", "vertex", "exactVertex", "oneMinusVertex",
		"lightingDiffuse", "lightingSpecular", "const", "wave", "portal",
	}[k]
}

func (k TCGenKind) String() string {
	return [...]string{"base", "lightmap", "environment", "vector"}[k]
}

func (f WaveFunc) String() string {
	return [...]string{"sin", "square", "triangle", "sawtooth", "inverseSawtooth", "noise"}[f]
}

func (w Wave) String() string {
	return fmt.Sprintf("%s %g %g %g %g", w.Func, w.Base, w.Amp, w.Phase, w.Freq)
}

// String returns the tcMod as written in a script.
func (t TCMod) String() string {
	switch t.Kind {
	case TCTurb:
		return fmt.Sprintf("turb %g %g %g %g", t.Wave.Base, t.Wave.Amp, t.Wave.Phase, t.Wave.Freq)
	case TCStretch:
		return "stretch " + t.Wave.String()
	}
	for word, mod := range tcMods {
		if mod.kind == t.Kind {
			return strings.TrimRight(word+" "+strings.Trim(fmt.Sprint(t.Args[:mod.args]), "[]"), " ")
		}
	}
	return ""
}
