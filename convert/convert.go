// Package convert turns maps into scenes and scenes into files: the library behind the command.
//
// File does the whole conversion. Map and the writers are its two halves, for callers that read from elsewhere or
// need the scene:
//
//	report, err := convert.File(ctx, pipeline.Default(), "q3dm17.bsp", "q3dm17.glb")
//
// All functions accept arbitrary bytes: they return within the limits of their context, never panic, never write outside
// the given directory. Anything else is a security bug (SECURITY.md).
package convert
