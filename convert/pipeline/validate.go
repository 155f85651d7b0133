package pipeline

import (
	"fmt"
	"reflect"
)

// Validate returns an ErrUsage if an option has a value that pipeline.yaml could not have. It reports the first such option in
// the order of the file. Run, Map, Inspect and Diagnose call it. The zero Pipeline is not valid: start from
// convert.DefaultPipeline.
func (p Pipeline) Validate() error {
	if p.Version == 0 {
		return &ConfigError{File: "pipeline",
			Message: "it has no version: start from convert.DefaultPipeline, and change what should be different"}
	}
	if reflect.DeepEqual(p, Default()) {
		return nil // a test checks the defaults; to check each takes longer than to read a small map
	}
	for i := range options() {
		o := &options()[i]
		if message := o.check(o.in(&p).Interface()); message != "" {
			return &ConfigError{File: "pipeline", Message: fmt.Sprintf("%s: %s", o.key, message)}
		}
	}
	return nil
}
