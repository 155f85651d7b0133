package q3shader

import "slices"

// Surface flags that affect what is drawn. game/surfaceflags.h.
const (
	SurfSky        = 0x4
	SurfNoDraw     = 0x80
	SurfNoLightmap = 0x400
)

// surfaceParms are Quake III's. Other games use other values; the map has the flags too, so prefer those.
var surfaceParms = map[string]struct{ flags, contents uint32 }{
	"water":         {0, 0x20},
	"slime":         {0, 0x10},
	"lava":          {0, 0x8},
	"fog":           {0, 0x40},
	"playerclip":    {0, 0x10000},
	"monsterclip":   {0, 0x20000},
	"nodrop":        {0, 0x80000000},
	"origin":        {0, 0x1000000},
	"trans":         {0, 0x20000000},
	"detail":        {0, 0x8000000},
	"structural":    {0, 0x10000000},
	"areaportal":    {0, 0x8000},
	"clusterportal": {0, 0x100000},
	"donotenter":    {0, 0x200000},
	"nonsolid":      {0x4000, 0},
	"sky":           {SurfSky, 0},
	"lightfilter":   {0x8000, 0},
	"alphashadow":   {0x10000, 0},
	"hint":          {0x100, 0},
	"skip":          {0x200, 0},
	"slick":         {0x2, 0},
	"noimpact":      {0x10, 0},
	"nomarks":       {0x20, 0},
	"ladder":        {0x8, 0},
	"nodamage":      {0x1, 0},
	"metalsteps":    {0x1000, 0},
	"flesh":         {0x40, 0},
	"nosteps":       {0x2000, 0},
	"nodraw":        {SurfNoDraw, 0},
	"pointlight":    {0x800, 0},
	"nolightmap":    {SurfNoLightmap, 0},
	"nodlight":      {0x20000, 0},
	"dust":          {0x40000, 0},
}

// Has reports whether the shader has a surfaceparm of this name, which is in lower case.
func (s *Shader) Has(surfaceParm string) bool { return slices.Contains(s.SurfaceParms, surfaceParm) }

func surfaceParm(p *parser, args []string) int {
	if !p.need(args, 1) {
		return 0
	}
	s := p.shader
	name := lower(args[0])
	if len(s.SurfaceParms) < maxParams {
		s.SurfaceParms = append(s.SurfaceParms, name)
	}
	s.SurfaceFlags |= surfaceParms[name].flags
	s.Contents |= surfaceParms[name].contents
	return 1
}
