package entity

import (
	"bytes"
	"fmt"
	"io/fs"
	"math"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/internal/keyvalues"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
)

// External returns the entity text beside a map, which replaces the map's own, and what to say about it; without such a file it returns
// the map's. The name is NAME@CRC.ent, for the map with that text only, or NAME.ent. Ironwail, gl_model.c, Mod_LoadEntities; Xash3D,
// mod_bmodel.c, Mod_LoadEntities. The engines also compare how old the files are, or in which folder of the game they lie; we can't.
func External(dc *decoding.Context, files fs.FS, name string, own le.Lump) (text le.Lump, told string, err error) {
	if files == nil {
		return own, "", nil
	}
	for _, file := range []string{fmt.Sprintf("%s@%04x.ent", name, checksum(own.Data)), name + ".ent"} {
		for _, folder := range []string{"maps/", ""} {
			data, err := readText(dc, files, folder+file)
			if err != nil {
				return own, "", err
			}
			if data != nil {
				return le.Lump{Name: folder + file, Data: data}, fmt.Sprintf(", its entities from %s beside it", folder+file), nil
			}
		}
	}
	return own, "", nil
}

// readText reads a file of entity text into borrowed memory, or returns nil if there is none. One that can't be used is an issue.
func readText(dc *decoding.Context, files fs.FS, name string) ([]byte, error) {
	if !fs.ValidPath(name) {
		return nil, nil
	}
	info, err := fs.Stat(files, name)
	if err != nil || info.IsDir() {
		return nil, nil
	}
	if info.Size() > math.MaxInt32 {
		dc.Issue("entity-file", name, "%d bytes are left out", info.Size())
		return nil, nil
	}
	if err := dc.Borrow(4 * info.Size()); err != nil { // a text of 16-bit characters is converted
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	data, err := fs.ReadFile(files, name)
	switch data = keyvalues.UTF8(data); {
	case err != nil:
		dc.Issue("entity-file", name, "is left out: %v", err)
		return nil, nil
	case !bytes.Contains(data, []byte("{")):
		dc.Issue("entity-file", name, "is left out: there is no entity in it")
		return nil, nil
	}
	return data, nil
}

// checksum returns the CRC of 16 bits of a text without the zero at its end. Quake, crc.c: CCITT.
func checksum(text []byte) (sum uint16) {
	sum = 0xffff
	for _, b := range text[:max(len(text)-1, 0)] {
		sum ^= uint16(b) << 8
		for range 8 {
			carry := sum&0x8000 != 0
			sum <<= 1
			if carry {
				sum ^= 0x1021
			}
		}
	}
	return sum
}
