// Package decodingtest tests that layouts of records say what their fields are.
package decodingtest

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
)

// Rows returns a test of layouts of one record, which have these sizes. The widths of a layout's fields add up to its size, it is
// decoded without looking behind its end, and each value comes from one field: bytes are set one by one to see which values
// change. A value that two fields make together is named in several.
func Rows[T any](rows []record.Layout[T], several []string, sizes ...int) func(*testing.T) {
	return func(t *testing.T) {
		if len(rows) != len(sizes) {
			t.Fatalf("%d layouts, %d sizes", len(rows), len(sizes))
		}
		for i, r := range rows {
			if r.Size != sizes[i] {
				t.Errorf("layout %d has %d bytes, want %d", i, r.Size, sizes[i])
			}
			if err := Layout(r.Size, r.Fields, func(b []byte) any { return r.Decode(b) }, several...); err != nil {
				t.Errorf("layout %d of %d bytes: %v", i, r.Size, err)
			}
		}
	}
}

// Layout tests one layout, as Rows does.
func Layout(size int, fields string, decoded func([]byte) any, several ...string) error {
	list := record.Fields(fields)
	sum := 0
	for _, f := range list {
		sum += f.Width * f.Count
	}
	if sum != size {
		return fmt.Errorf("its fields have %d bytes", sum)
	}
	var names []string
	name(reflect.ValueOf(decoded(make([]byte, size))), "", &names)
	plain := values(decoded(make([]byte, size)))
	from := make([]int, len(names)) // by value: where the field starts that it comes from, plus 1
	at := 0
	for _, f := range list {
		for range f.Count {
			for k := at; k < at+f.Width; k++ {
				for _, i := range changed(plain, size, k, decoded) {
					if from[i] != 0 && from[i] != at+1 &&
						!slices.ContainsFunc(several, func(s string) bool { return strings.HasPrefix(names[i], s) }) {
						return fmt.Errorf("%s comes from the fields at bytes %d and %d", names[i], from[i]-1, at)
					}
					from[i] = at + 1
				}
			}
			at += f.Width
		}
	}
	if !slices.ContainsFunc(from, func(at int) bool { return at > 0 }) {
		return errors.New("no byte changes anything")
	}
	return nil
}

// changed returns the values that another byte at k changes.
func changed(plain []uint64, size, k int, decoded func([]byte) any) (list []int) {
	for _, x := range []byte{0x01, 0x02, 0x3f, 0x40, 0x80, 0xff} {
		b := make([]byte, size)
		b[k] = x
		for i, v := range values(decoded(b[:size:size])) {
			if i < len(plain) && v != plain[i] && !slices.Contains(list, i) {
				list = append(list, i)
			}
		}
	}
	return list
}

// values returns the numbers, texts and flags that a record is made of, as numbers.
func values(record any) (out []uint64) {
	collect(reflect.ValueOf(record), &out)
	return out
}

func collect(v reflect.Value, out *[]uint64) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			collect(v.Field(i), out)
		}
	case reflect.Array, reflect.Slice:
		for i := range v.Len() {
			collect(v.Index(i), out)
		}
	case reflect.Float32, reflect.Float64:
		*out = append(*out, math.Float64bits(v.Float()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		*out = append(*out, uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		*out = append(*out, v.Uint())
	case reflect.String:
		h := fnv.New64a()
		h.Write([]byte(v.String()))
		*out = append(*out, h.Sum64())
	case reflect.Bool:
		n := uint64(0)
		if v.Bool() {
			n = 1
		}
		*out = append(*out, n)
	default:
		panic("a record has a " + v.Kind().String())
	}
}

// name lists the paths of the values.
func name(v reflect.Value, path string, out *[]string) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			name(v.Field(i), path+"."+v.Type().Field(i).Name, out)
		}
	case reflect.Array, reflect.Slice:
		for i := range v.Len() {
			name(v.Index(i), fmt.Sprintf("%s[%d]", path, i), out)
		}
	default:
		*out = append(*out, path)
	}
}
