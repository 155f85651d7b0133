package valve

// Dark reports whether all luxels are black; a luxel has four bytes, and the last is not a colour.
func Dark(luxels []byte) bool {
	for i, x := range luxels {
		if x != 0 && i%4 != 3 {
			return false
		}
	}
	return true
}
