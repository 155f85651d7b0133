package inflate

// fixed sets up the tables of a block with fixed codes.
func (d *Decoder) fixed() {
	if d.isFixed {
		return
	}
	for i := range d.lengths {
		switch {
		case i < 144:
			d.lengths[i] = 8
		case i < 256:
			d.lengths[i] = 9
		case i < 280:
			d.lengths[i] = 7
		case i < maxLiterals:
			d.lengths[i] = 8
		default:
			d.lengths[i] = 5
		}
	}
	d.literals.build(d.lengths[:maxLiterals], literalMeaning[:])
	d.distances.build(d.lengths[maxLiterals:], distanceMeaning[:])
	d.isFixed = true
}

// lengthOrder is the order in which a block states the lengths of the codes for lengths.
var lengthOrder = [19]int{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// dynamic reads the tables of a block with dynamic codes. RFC 1951, 3.2.7.
func (d *Decoder) dynamic() error {
	literals, distances, count := 257+d.take(5), 1+d.take(5), 4+d.take(4)
	if literals > 286 || distances > 30 {
		return ErrCorrupt
	}
	var own [19]uint8
	for _, i := range lengthOrder[:count] {
		if err := d.fill(); err != nil {
			return err
		}
		own[i] = uint8(d.take(3))
	}
	d.isFixed = false
	t := &d.distances // not in use until the lengths are known
	if !t.build(own[:], plainMeaning[:]) {
		return ErrCorrupt
	}
	all := d.lengths[:literals+distances]
	for i := 0; i < len(all); {
		if err := d.fill(); err != nil {
			return err
		}
		e, _ := t.find(d.bits)
		if e&special != 0 {
			return ErrCorrupt
		}
		d.take(uint(e & 0xff))
		value, times := uint8(e>>16), 1
		switch value {
		case 16:
			if i == 0 {
				return ErrCorrupt
			}
			value, times = all[i-1], 3+int(d.take(2))
		case 17:
			value, times = 0, 3+int(d.take(3))
		case 18:
			value, times = 0, 11+int(d.take(7))
		}
		if i+times > len(all) {
			return ErrCorrupt
		}
		for range times {
			all[i] = value
			i++
		}
	}
	if !d.literals.build(all[:literals], literalMeaning[:]) || !d.distances.build(all[literals:], distanceMeaning[:]) {
		return ErrCorrupt
	}
	return nil
}
