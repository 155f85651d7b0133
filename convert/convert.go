// Package convert turns maps into scenes and scenes into files: the library behind the command.
//
// File converts a file:
//
//	report, err := convert.File(ctx, pipeline.Default(), "q3dm17.bsp", "q3dm17.glb")
//
// Run does the same for a Job, which has more to set: Edit changes the scene before it is written, Show sees it. Map makes the scene of a
// map from any reader, and WriteGLB and its like write a scene.
//
// All functions accept arbitrary bytes: they return within the limits of their context, never panic, never write outside
// the given directory. Anything else is a security bug (SECURITY.md).
package convert
