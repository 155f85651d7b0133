package convert

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/internal/invocation"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/outfile"
)

// policy returns the files that an output may not replace: all inputs, and the other files that the caller writes.
func (j *Job) policy(call invocation.Call, r *report.Report) outfile.Policy {
	keep := append([]string{j.In, j.Pipeline.Game.Palette}, r.Mounts...)
	return outfile.Policy{Keep: append(append(keep, call.Reads...), call.Writes...), NoClobber: j.NoClobber}
}

// checkOutputs returns an error, before the work begins, if an output would replace an input or another output, or can't be
// written.
func (j *Job) checkOutputs(call invocation.Call, r *report.Report, format *write.Format) error {
	p := j.policy(call, r)
	for i, out := range append([]string{j.Out}, call.Writes...) {
		for _, in := range p.Keep[:len(p.Keep)-len(call.Writes)] {
			if outfile.Same(in, out) {
				return fmt.Errorf("the output %.200q is an input: %w", out, limit.ErrUsage)
			}
		}
		for _, other := range call.Writes[:max(0, i-1)] {
			if outfile.Same(other, out) {
				return fmt.Errorf("%.200q is named for two of the files to write: %w", out, limit.ErrUsage)
			}
		}
		if i > 0 && outfile.Same(j.Out, out) {
			return fmt.Errorf("%.200q is named for two of the files to write: %w", out, limit.ErrUsage)
		}
	}
	switch {
	case j.Out == "":
		return nil
	case j.Out == "-" && j.Stdout == nil:
		return fmt.Errorf("standard output is closed: %w", limit.ErrUsage)
	case j.Out == "-":
		return nil
	}
	if ext := strings.TrimPrefix(strings.ToLower(filepath.Ext(j.Out)), "."); write.FindFormat(ext) == nil &&
		!write.Replaceable(j.Out, format) {
		return fmt.Errorf("%.200s: %w: the file exists and is not a .%s file", j.Out, limit.ErrOutput, format.Name)
	}
	if call.Derived && !write.Replaceable(j.Out, format) {
		return fmt.Errorf("%.200s: %w: %.200s exists and was not written by bsp2gltf; name the output to replace it", j.Out, limit.ErrOutput,
			filepath.Base(j.Out))
	}
	return outfile.New(j.Out, p).Check()
}
