package pipeline

import "fmt"

// Validate returns an error, an ErrUsage, where an option has a value that pipeline.yaml could not have: the first in the file's
// order. Run, Map, Inspect and Diagnose ask it. The zero Pipeline is not valid: start from convert.DefaultPipeline.
func (p Pipeline) Validate() error {
	if p.Version == 0 {
		return &ConfigError{File: "pipeline", Message: "it has no version: start from convert.DefaultPipeline, and change what should be different"}
	}
	for i := range options() {
		o := &options()[i]
		if message := o.check(o.in(&p).Interface()); message != "" {
			return &ConfigError{File: "pipeline", Message: fmt.Sprintf("%s: %s", o.key(), message)}
		}
	}
	return nil
}
