package testkit

import (
	"flag"
	"testing"
)

// Unminimized makes the fuzzer go on to new inputs, unless -fuzzminimizetime says otherwise. By default it spends up to a minute on
// making each interesting input smaller; with inputs of many kilobytes it hardly does anything else.
func Unminimized(f *testing.F) {
	f.Helper()
	const name = "test.fuzzminimizetime"
	given := false
	flag.Visit(func(x *flag.Flag) { given = given || x.Name == name })
	if given {
		return
	}
	if err := flag.Set(name, "1x"); err != nil {
		f.Fatal(err)
	}
}
