package main

import (
	"fmt"
	"maps"
	"path"
	"slices"
)

// exceptions lists the types that may reach more than the limits, by the last element of their package's path, and the folders that
// may have more files, each with the reason. An exception that no longer applies exceeds a limit: its row must go.
var exceptions = map[string]string{
	"bsp.Map":        data,
	"lift.Map":       data,
	"pbr.Material":   data,
	"scene.Material": data,
}

// The reason.
const data = "it is data without steps, and who reads it needs all of it"

// overreaching returns a line for each limit of files, fields or methods that a room exceeds, and for each exception that no longer
// applies.
func overreaching(r room) (over []string) {
	over = append(over, excepting(path.Base(r.path), r.files > mostFiles,
		fmt.Sprintf("%s: the folder has %d files, the limit is %d", r.path, r.files, mostFiles))...)
	for _, name := range slices.Sorted(maps.Keys(r.reaches)) {
		of := r.reaches[name]
		over = append(over, excepting(path.Base(r.path)+"."+name, of.allFields > mostFields || of.allMethods > mostMethods,
			fmt.Sprintf("%s: %s reaches %d fields and %d methods, the limits are %d and %d", r.path, name, of.allFields, of.allMethods,
				mostFields, mostMethods))...)
	}
	return over
}

// excepting returns line if a limit is exceeded without an exception, and a complaint about an exception that is not needed.
func excepting(name string, exceeds bool, line string) []string {
	_, excepted := exceptions[name]
	switch {
	case exceeds && !excepted:
		return []string{line}
	case excepted && !exceeds:
		return []string{fmt.Sprintf("%s is within the limits: delete its row of exceptions.go", name)}
	}
	return nil
}
