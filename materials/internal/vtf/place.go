package vtf

// bytes is the size of a picture.
func (f *format) bytes(width, height int) int64 {
	across, down := (width+f.block-1)/f.block, (height+f.block-1)/f.block
	return int64(across) * int64(down) * int64(f.size)
}

// slice is the size of a picture of a mip, volume that of all its slices.
func (f *File) slice(mip int) int64 { return f.stored.format.bytes(f.Size(mip)) }

func (f *File) volume(mip int) int64 {
	return min(f.slice(mip), maxMagnitude) * int64(f.Slices(mip))
}

// total is the size of all images; what is beyond maxMagnitude is right in that no file has it.
func (f *File) total() int64 {
	if f.stored.variant.largestFirst {
		return f.frame(f.Frames-1) + f.chain(f.Mips)*int64(f.Faces)
	}
	return f.level(-1)
}

// start is where the slices of a picture start, from the first image.
func (f *File) start(at At) int64 {
	if f.stored.variant.largestFirst {
		return f.frame(at.Frame) + f.chain(f.Mips)*int64(at.Face) + f.chain(at.Mip)
	}
	return f.level(at.Mip) + min(f.volume(at.Mip), maxMagnitude)*int64(at.Frame*f.Faces+at.Face)
}

// level is the size of all mips that are smaller than one.
func (f *File) level(mip int) (sum int64) {
	for m := f.Mips - 1; m > mip; m-- {
		sum += min(min(f.volume(m), maxMagnitude)*int64(f.Frames*f.Faces), maxMagnitude)
	}
	return sum
}

// chain is the size of the mips of one face that are larger than one.
func (f *File) chain(mip int) (sum int64) {
	for m := range mip {
		sum += min(f.volume(m), maxMagnitude)
	}
	return sum
}

// frame is where a frame starts. The first Xbox fills up what is before it, but not where that is little.
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
