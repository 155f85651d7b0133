package convert

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/internal/outfile"
)

// policy is what an output may not touch: all that was read and all that the caller writes.
func (j *Job) policy(r *report.Report) outfile.Policy {
	keep := append([]string{j.In, j.Pipeline.Game.Palette}, r.Mounts...)
	return outfile.Policy{Keep: append(append(keep, j.Reads...), j.Writes...), NoClobber: j.NoClobber}
}

// checkOutputs returns an error where an output would replace an input or another output, or can't be written: before the work.
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
				return fmt.Errorf("%.200q is to be two of the files that are written: %w", out, ErrUsage)
			}
		}
		if i > 0 && outfile.Same(j.Out, out) {
			return fmt.Errorf("%.200q is to be two of the files that are written: %w", out, ErrUsage)
		}
	}
	switch {
	case j.Out == "":
		return nil
	case j.Out == "-" && j.Stdout == nil:
		return fmt.Errorf("there is no standard output: %w", ErrUsage)
	case j.Out == "-":
		return nil
	}
	if ext := strings.TrimPrefix(strings.ToLower(filepath.Ext(j.Out)), "."); write.FindFormat(ext) == nil && !write.Replaceable(j.Out, format) {
		return fmt.Errorf("%.200s: %w: the file exists and is not a .%s file", j.Out, ErrOutput, format.Name)
	}
	if j.Derived && !write.Replaceable(j.Out, format) {
		return fmt.Errorf("%.200s: %w: %.200s exists and is not from bsp2gltf; only an output that is named replaces it", j.Out, ErrOutput, filepath.Base(j.Out))
	}
	return outfile.New(j.Out, p).Check()
}
