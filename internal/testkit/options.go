package testkit

import (
	"reflect"
	"testing"
)

// CheckFilled checks the defaults of a stage: the zero options with their defaults filled in have the values of defaults, except that
// switches stay off.
func CheckFilled[Options comparable](t *testing.T, filled, defaults Options) {
	t.Helper()
	got, want := reflect.ValueOf(filled), reflect.ValueOf(defaults)
	for i := range got.NumField() {
		f := got.Type().Field(i)
		if f.Type.Kind() == reflect.Bool {
			if got.Field(i).Bool() {
				t.Errorf("%s is on", f.Name)
			}
		} else if got.Field(i).Interface() != want.Field(i).Interface() {
			t.Errorf("%s is %v, want %v", f.Name, got.Field(i), want.Field(i))
		}
	}
}
