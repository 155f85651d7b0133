package sourcemdl

import (
	"strconv"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// operators are the names of the operators in a flex rule, by number. Source SDK 2013, public/studio.h.
var operators = [...]string{
	4: "+", "-", "*", "/", "neg", "exp", "(", ")", ",", "max", "min", "2way_0", "2way_1", "nway", "combo", "dominate", "lower_eyelid",
	"upper_eyelid",
}

// The terms that are values; the first operator that names a controller; the first and last operator that state a
// count.
const (
	termNumber     = 1
	termController = 2
	termFlex       = 3
	firstIndexed   = 15
	firstCounted   = 18
	lastCounted    = 19
)

// mix reads the controllers (mstudioflexcontroller_t) and the rules (mstudioflexrule_t) by which the game computes
// the weights of labels.
func (d *face) mix() error {
	f := d.file
	controls, err := f.header("flex controllers", flexControls, flexControlSize)
	if err != nil {
		return err
	}
	rules, err := f.header("flex rules", flexRules, flexRuleSize)
	if err == nil {
		err = f.pay(int64(len(controls.Data) + len(rules.Data)))
	}
	if err == nil {
		perControl := limit.Bytes[world.FlexController](1) + 64
		err = d.decoding.memory.Reserve(perControl*int64(controls.Len()) + limit.Bytes[world.FlexRule](rules.Len()))
	}
	if err != nil {
		return err
	}
	for i := range controls.Len() {
		b, at := controls.Record(i), controls.Offset(i)
		c := world.FlexController{
			Kind: f.text(at + int64(le.Int32(b))), Name: f.text(at + int64(le.Int32(b[4:]))),
			Least: le.Float32(b[12:]), Most: le.Float32(b[16:]),
		}
		if !modelfile.InRange(c.Least, c.Most) {
			return modelfile.Fault("range", f.What, "flex controller %d is from %g to %g", i, c.Least, c.Most)
		}
		d.mixed.Controllers = append(d.mixed.Controllers, c)
	}
	for i := range rules.Len() {
		b := rules.Record(i)
		terms, err := f.Table("terms of a flex rule", le.Int32(b[4:]), rules.Offset(i)+int64(le.Int32(b[8:])), flexTermSize)
		if err == nil {
			err = f.pay(int64(len(terms.Data)))
		}
		if err == nil {
			err = d.decoding.memory.Reserve((limit.Bytes[string](1) + 32) * int64(terms.Len()))
		}
		if err != nil {
			return err
		}
		r := world.FlexRule{}
		if r.Name, err = d.label(int(le.Int32(b))); err != nil {
			return err
		}
		for k := range terms.Len() {
			term, err := d.term(terms.Record(k))
			if err != nil {
				return err
			}
			r.Terms = append(r.Terms, term)
		}
		d.mixed.Rules = append(d.mixed.Rules, r)
	}
	return nil
}

// term returns a term as text. Operators with a controller or a count have it after a colon.
func (d *face) term(b []byte) (string, error) {
	kind, of := int(le.Int32(b)), int(le.Int32(b[4:]))
	switch {
	case kind == termNumber:
		return strconv.FormatFloat(float64(le.Float32(b[4:])), 'g', -1, 32), nil
	case kind == termController:
		return d.controller(of)
	case kind == termFlex:
		return d.label(of)
	case kind < 4 || kind >= len(operators):
		return "", modelfile.Fault("range", d.file.What, "a flex rule has a term of kind %d", kind)
	case kind < firstIndexed:
		return operators[kind], nil
	case kind >= firstCounted && kind <= lastCounted:
		return operators[kind] + ":" + strconv.Itoa(of), nil
	default:
		name, err := d.controller(of)
		return operators[kind] + ":" + name, err
	}
}

// controller returns the name of controller i.
func (d *face) controller(i int) (string, error) {
	if i < 0 || i >= len(d.mixed.Controllers) {
		return "", modelfile.Fault("index-range", d.file.What, "a flex rule has controller %d of %d", i, len(d.mixed.Controllers))
	}
	return d.mixed.Controllers[i].Name, nil
}

// label returns the name of label i.
func (d *face) label(i int) (string, error) {
	if i < 0 || i >= len(d.labels) {
		return "", modelfile.Fault("index-range", d.file.What, "a flex rule has flex %d of %d", i, len(d.labels))
	}
	return d.labels[i], nil
}
