package vtf

// bytes returns the size of one slice in bytes.
func (f *format) bytes(width, height int) int64 {
	across, down := (width+f.block-1)/f.block, (height+f.block-1)/f.block
	return int64(across) * int64(down) * int64(f.size)
}

// slice returns the bytes of one slice of a mip, volume the bytes of all its slices, at most about maxMagnitude each.
func (f *File) slice(mip int) int64 { return f.stored.format.bytes(f.Size(mip)) }

func (f *File) volume(mip int) int64 {
	return min(f.slice(mip), maxMagnitude) * int64(f.Slices(mip))
}

// total returns the bytes of all images. A result above maxMagnitude is a lower bound; no file is that large.
func (f *File) total() int64 {
	if f.stored.variant.largestFirst {
		return f.frame(f.Frames-1) + f.chain(f.Mips)*int64(f.Faces)
	}
	return f.level(-1)
}

// start returns the offset of a picture's slices from the start of the images.
func (f *File) start(at At) int64 {
	if f.stored.variant.largestFirst {
		return f.frame(at.Frame) + f.chain(f.Mips)*int64(at.Face) + f.chain(at.Mip)
	}
	return f.level(at.Mip) + min(f.volume(at.Mip), maxMagnitude)*int64(at.Frame*f.Faces+at.Face)
}

// level returns the bytes of all mips smaller than mip, of all frames and faces.
func (f *File) level(mip int) (sum int64) {
	for m := f.Mips - 1; m > mip; m-- {
		sum += min(min(f.volume(m), maxMagnitude)*int64(f.Frames*f.Faces), maxMagnitude)
	}
	return sum
}

// chain returns the bytes of the mips larger than mip, of one face.
func (f *File) chain(mip int) (sum int64) {
	for m := range mip {
		sum += min(f.volume(m), maxMagnitude)
	}
	return sum
}

// frame returns the offset of frame n from the start of the images. The first Xbox aligns frames, unless little
// precedes them.
func (f *File) frame(n int) (sum int64) {
	size := min(f.chain(f.Mips)*int64(f.Faces), maxMagnitude)
	if f.stored.variant.align == 0 {
		return min(size*int64(n), maxMagnitude)
	}
	for range n {
		if sum += size; sum > f.stored.variant.align {
			sum += -sum & (f.stored.variant.align - 1)
		}
	}
	return sum
}
