package convert

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/internal/outfile"
)

// policy returns the files that an output may not replace: all inputs, and the other files that the caller writes.
func (j *Job) policy(r *report.Report) outfile.Policy {
	keep := append([]string{j.In, j.Pipeline.Game.Palette}, r.Mounts...)
	return outfile.Policy{Keep: append(append(keep, j.Reads...), j.Writes...), NoClobber: j.NoClobber}
}

// checkOutputs returns an error, before the work begins, if an output would replace an input or another output, or can't be
// written.
func (j *Job) checkOutputs(r *report.Report, format *write.Format) error {
	p := j.policy(r)
	for i, out := range append([]string{j.Out}, j.Writes...) {
		for _, in := range p.Keep[:len(p.Keep)-len(j.Writes)] {
			if outfile.Same(in, out) {
				return fmt.Errorf("the output %.200q is an input: %w", out, ErrUsage)
			}
		}
		for _, other := range j.Writes[:max(0, i-1)] {
			if outfile.Same(other, out) {
				return fmt.Errorf("%.200q is named for two of the files to write: %w", out, ErrUsage)
			}
		}
		if i > 0 && outfile.Same(j.Out, out) {
			return fmt.Errorf("%.200q is named for two of the files to write: %w", out, ErrUsage)
		}
	}
	switch {
	case j.Out == "":
		return nil
	case j.Out == "-" && j.Stdout == nil:
		return fmt.Errorf("standard output is closed: %w", ErrUsage)
	case j.Out == "-":
		return nil
	}
	if ext := strings.TrimPrefix(strings.ToLower(filepath.Ext(j.Out)), "."); write.FindFormat(ext) == nil &&
		!write.Replaceable(j.Out, format) {
		return fmt.Errorf("%.200s: %w: the file exists and is not a .%s file", j.Out, ErrOutput, format.Name)
	}
	if j.Derived && !write.Replaceable(j.Out, format) {
		return fmt.Errorf("%.200s: %w: %.200s exists and was not written by bsp2gltf; name the output to replace it", j.Out, ErrOutput,
			filepath.Base(j.Out))
	}
	return outfile.New(j.Out, p).Check()
}
