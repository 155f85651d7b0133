package write

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/qmuntal/gltf"
)

// encodeJSON returns a document as encoding/json writes it, without the final line break. It encodes each element of
// a list by itself: a model with many sequences has more JSON than other data, and encoding/json would hold the whole
// of it twice while its buffer grows.
func encodeJSON(doc *gltf.Document) (*pieces, error) {
	out := &pieces{}
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	value := func(v reflect.Value) error {
		err := e.Encode(v.Interface())
		out.cut() // the line break
		return err
	}
	members := reflect.ValueOf(doc).Elem()
	between := byte('{')
	for i := range members.NumField() {
		name, option, _ := strings.Cut(members.Type().Field(i).Tag.Get("json"), ",")
		v := members.Field(i)
		if option == "omitempty" && empty(v) {
			continue
		}
		out.add(between)
		between = ','
		if err := value(reflect.ValueOf(name)); err != nil {
			return nil, err
		}
		out.add(':')
		if v.Kind() != reflect.Slice {
			if err := value(v.Addr()); err != nil { // by address, because some types have MarshalJSON on the pointer
				return nil, err
			}
			continue
		}
		for k := range v.Len() {
			out.add("[,"[min(k, 1)])
			if err := value(v.Index(k)); err != nil {
				return nil, err
			}
			v.Index(k).SetZero()
		}
		out.add(']')
	}
	out.add('}')
	return out, nil
}

// empty reports whether omitempty leaves a value out.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Map, reflect.Slice:
		return v.Len() == 0
	default:
		return v.IsZero()
	}
}

// pieceSize is the capacity of a piece in bytes.
const pieceSize = 64 << 10

// pieces is text in pieces, so that it grows without being copied.
type pieces struct {
	list [][]byte // none is empty
	size int
}

func (p *pieces) Write(b []byte) (int, error) {
	n := len(b)
	for len(b) > 0 {
		last := len(p.list) - 1
		if last < 0 || len(p.list[last]) == pieceSize {
			p.list = append(p.list, make([]byte, 0, pieceSize))
			last++
		}
		free := min(len(b), pieceSize-len(p.list[last]))
		p.list[last] = append(p.list[last], b[:free]...)
		b = b[free:]
	}
	p.size += n
	return n, nil
}

func (p *pieces) add(b byte) { _, _ = p.Write([]byte{b}) }

// cut removes the last byte, if any.
func (p *pieces) cut() {
	last := len(p.list) - 1
	if last < 0 {
		return
	}
	p.size--
	if p.list[last] = p.list[last][:len(p.list[last])-1]; len(p.list[last]) == 0 {
		p.list = p.list[:last]
	}
}
