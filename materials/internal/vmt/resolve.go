package vmt

import (
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/keyvalues"
)

// take sets the parameters of a shader's block. The first of equal names counts; then parameters with a condition that
// holds are set, then the blocks for this graphics card, in order.
func (m *Material) take(pairs []keyvalues.Pair) {
	type param struct{ name, value string }
	var later []param
	for i := range pairs {
		p := &pairs[i]
		if p.Block {
			continue
		}
		name := keyvalues.Lower(p.Key)
		condition, conditional, ok := strings.Cut(name, "?")
		if ok && holds(condition) {
			later = append(later, param{conditional, p.Value})
		}
		if _, taken := m.values[name]; !taken && !ok {
			m.set(name, p.Value)
		}
	}
	for _, p := range later {
		m.set(p.name, p.value)
	}
	for i := range pairs {
		switch p := &pairs[i]; {
		case !p.Block:
		case p.Is("proxies"):
			m.proxies(p.Pairs)
		case m.mine(keyvalues.Lower(p.Key)):
			for k := range p.Pairs {
				if q := &p.Pairs[k]; !q.Block {
					m.set(keyvalues.Lower(q.Key), q.Value)
				}
			}
		default:
			m.Blocks = append(m.Blocks, *p)
		}
	}
}

// set sets a parameter's value, and adds it if it is new.
func (m *Material) set(name, value string) {
	if _, ok := m.values[name]; !ok {
		m.order = append(m.order, name)
	}
	m.values[name] = value
}

// change applies what a patch inserts. If replace, only existing parameters are changed. An empty value removes a
// parameter, as in srctools.
func (m *Material) change(pairs []keyvalues.Pair, replace bool) {
	for i := range pairs {
		p := &pairs[i]
		name := keyvalues.Lower(p.Key)
		_, there := m.values[name]
		switch {
		case p.Block && p.Is("proxies"):
			m.proxies(p.Pairs)
		case p.Block:
			m.Blocks = append(m.Blocks, *p)
		case !there && replace:
		case p.Value == "" && strings.HasPrefix(name, "$"):
			delete(m.values, name)
		default:
			m.set(name, p.Value)
		}
	}
}

func (m *Material) proxies(pairs []keyvalues.Pair) {
	for i := range pairs {
		p := Proxy{Name: keyvalues.Lower(pairs[i].Key)}
		for k := range pairs[i].Pairs {
			if q := &pairs[i].Pairs[k]; !q.Block {
				p.Params = append(p.Params, Param{keyvalues.Lower(q.Key), q.Value})
			}
		}
		m.Proxies = append(m.Proxies, p)
	}
}

// mine reports whether a block of parameters applies to the assumed graphics card: Direct3D 9.5 with HDR light. "hdr"
// and "ldr" depend on the light, ">=dx90_20b" on the card; "LightmappedGeneric_DX9" is the shader's fallback.
func (m *Material) mine(name string) bool {
	switch strings.TrimPrefix(name, m.Shader+"_") {
	case "dx9", "hdr", "hdr_dx9", "dx90", "dx95":
		return true
	}
	return strings.ContainsAny(name, "<>=") && holds(name)
}

// holds reports whether a condition is true on a current PC: "hdr", "!ldr", "gpu>=2", ">=dx90_20b".
func holds(condition string) bool {
	condition = strings.TrimSpace(condition)
	if rest, not := strings.CutPrefix(condition, "!"); not {
		return !holds(rest)
	}
	at := strings.IndexAny(condition, "<>=")
	if at < 0 {
		return here[condition]
	}
	what := condition[:at]
	operator := strings.TrimRight(condition[at:min(at+2, len(condition))], "dx0123456789. ")
	value := strings.TrimSpace(condition[at+len(operator):])
	have := levels[what]
	if digits, ok := strings.CutPrefix(value, "dx"); ok && what == "" {
		value, have = digits, directX
	}
	if have == 0 {
		return false
	}
	value, _, _ = strings.Cut(value, "_") // "90_20b" is a card between two versions
	want, err := strconv.Atoi(value)
	if err != nil {
		return false
	}
	if want < 10 && have == directX {
		want *= 10
	}
	switch operator {
	case "<":
		return have < want
	case "<=":
		return have <= want
	case ">":
		return have > want
	case ">=":
		return have >= want
	}
	return have == want
}

// here lists what is true on a current PC; all else is false: ldr, lowfill, 360, sonyps3.
var here = map[string]bool{"hdr": true, "srgb": true}

// directX is the Direct3D version of a current PC, as the engine counts.
const directX = 95

// levels are the highest values of the engine's settings.
var levels = map[string]int{"gpu": 3, "cpu": 3, "mem": 3, "gpumem": 3}
