package vbsp

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
)

// order is the file's order of bytes.
func (v Variant) order() brushmap.Order { return brushmap.OrderOf(v.Branch != nil && v.BigEndian) }

// put appends records in the file's order of bytes.
func (v Variant) put(lump []byte, records ...any) []byte {
	return brushmap.Put(lump, v.order(), records...)
}

// The layout of a record is written as its fields in order, each with the bytes of its numbers: "Plane:4 Side:1 -:2". A
// field has all its numbers, as many as the Go value of that name has. "f" in place of a number of bytes is a float of what
// is a whole number in Go. "-" are bytes that nobody reads, here 0xcd, and "0" such that are 0; "." is the record itself,
// where that is a number.

// junk fills bytes that nobody reads.
const junk = 0xcd

// lay appends a record in a layout.
func (v Variant) lay(b []byte, layout string, record any) []byte {
	r := reflect.Indirect(reflect.ValueOf(record))
	for _, word := range strings.Fields(layout) {
		name, width, _ := strings.Cut(word, ":")
		n, _ := strconv.Atoi(width)
		switch name {
		case "-":
			for range n {
				b = append(b, junk)
			}
		case "0":
			b = append(b, make([]byte, n)...)
		case ".":
			b = v.number(b, r, width)
		default:
			f := r.FieldByName(name)
			if !f.IsValid() {
				panic(fmt.Sprintf("a %T has no %s", record, name))
			}
			b = v.number(b, f, width)
		}
	}
	return b
}

// number appends all numbers of a value.
func (v Variant) number(b []byte, x reflect.Value, width string) []byte {
	var n int64
	switch x.Kind() {
	case reflect.Array, reflect.Slice:
		for i := range x.Len() {
			b = v.number(b, x.Index(i), width)
		}
		return b
	case reflect.Struct:
		for i := range x.NumField() {
			b = v.number(b, x.Field(i), width)
		}
		return b
	case reflect.Float32:
		return v.order().AppendUint32(b, math.Float32bits(float32(x.Float())))
	case reflect.Bool:
		if x.Bool() {
			n = 1
		}
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		n = int64(x.Uint())
	default:
		n = x.Int()
	}
	switch width {
	case "1":
		return append(b, uint8(n))
	case "2":
		return v.order().AppendUint16(b, uint16(n))
	case "4":
		return v.order().AppendUint32(b, uint32(n))
	case "f":
		return v.order().AppendUint32(b, math.Float32bits(float32(n)))
	}
	panic("a number of " + width + " bytes")
}

// records appends all records of a slice in the layout that the branch has for the lump, or as they are.
func (v Variant) records(lump int, list any) (b []byte) {
	layout := ""
	if v.Branch != nil {
		layout = v.Records[lump]
	}
	if layout == "" {
		return v.put(nil, list)
	}
	r := reflect.ValueOf(list)
	for i := range r.Len() {
		b = v.lay(b, layout, r.Index(i).Interface())
	}
	return b
}
