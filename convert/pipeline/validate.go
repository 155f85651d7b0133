package pipeline

import (
	"fmt"
	"reflect"
)

// Complete returns the pipeline with defaults for what is not set, and an ErrUsage if an option has a value that pipeline.yaml could not
// have: it reports the first such option in the order of the file. As for the options of each stage, a zero value that an option does not
// accept stands for its default: a choice that is "", a number that can't be 0. Run, Map, Inspect and Diagnose call it.
//
// A pipeline without a version is refused, because all its switches would be off: start from pipeline.Default.
func (p Pipeline) Complete() (Pipeline, error) {
	if p.Version == 0 {
		return p, &ConfigError{File: "pipeline",
			Message: "it has no version: start from pipeline.Default, and change what should be different"}
	}
	defaults := Default()
	for i := range options() {
		o := &options()[i]
		value, byDefault := o.in(&p), o.in(&defaults)
		if reflect.DeepEqual(value.Interface(), byDefault.Interface()) {
			continue // a test checks the defaults; to check each takes longer than to read a small map
		}
		message := o.check(value.Interface())
		if message != "" && value.IsZero() {
			value.Set(byDefault)
		} else if message != "" {
			return p, &ConfigError{File: "pipeline", Message: fmt.Sprintf("%s: %s", o.key, message)}
		}
	}
	return p, nil
}
