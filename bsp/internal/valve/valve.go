// Package valve has what Source and Respawn's branch of it share: materials by texdata, what entities place, static props, lamps,
// the archive, and how models claim their faces.
package valve
