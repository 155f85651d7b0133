// The shaders of demo.bsp, each an example of something that scripts can say. Shaders of the map without a block here:
// brick, stone, plaster, wood, marble, trim, metal, crate and noscript have only an image; missing has nothing.

// ---- opaque, lit by a lightmap -------------------------------------------------------------------------------------

// The lightmap first, then the texture as a filter: the usual order of the game's own scripts.
textures/demo/rock
{
	{
		map $lightmap
		rgbGen identity
	}
	{
		map textures/demo/rock.jpg
		blendFunc GL_DST_COLOR GL_ZERO
		rgbGen identity
	}
}

// The texture first, then the lightmap as a filter. In between a detail texture (drawn twice as strong as it is grey).
textures/demo/tiles
{
	{
		map textures/demo/tiles.jpg
		rgbGen identity
	}
	{
		map textures/demo/detail.png
		blendFunc GL_DST_COLOR GL_SRC_COLOR
		rgbGen identity
		tcMod scale 7 7
		detail
	}
	{
		map $lightmap
		blendFunc filter
		rgbGen identity
	}
}

// A path with another extension than the file's: the engine tries them all.
textures/demo/dais
{
	qer_editorimage textures/demo/dais.jpg
	{
		map textures/demo/dais.tga
	}
	{
		map $lightmap
		blendFunc GL_DST_COLOR GL_ZERO
	}
}

textures/demo/pooltile
{
	{
		map $lightmap
	}
	{
		map textures/demo/pooltile.tga
		blendFunc filter
	}
	// Light that dances on the walls.
	{
		map textures/demo/water.jpg
		blendFunc GL_DST_COLOR GL_ONE
		tcMod scale 1.5 1.5
		tcMod turb 0 0.05 0 0.1
		rgbGen const ( 0.5 0.5 0.5 )
	}
}

// Two textures, blended by the alpha of the vertices, under one lightmap.
textures/demo/terrain
{
	{
		map textures/demo/grass.jpg
		rgbGen identity
	}
	{
		map textures/demo/rock.jpg
		blendFunc GL_SRC_ALPHA GL_ONE_MINUS_SRC_ALPHA
		rgbGen identity
		alphaGen vertex
	}
	{
		map $lightmap
		blendFunc GL_DST_COLOR GL_ZERO
		rgbGen identity
	}
}

textures/demo/door
{
	surfaceparm metalsteps
	{
		map $lightmap
	}
	{
		map textures/demo/door.png
		blendFunc filter
	}
}

// ---- light of its own ----------------------------------------------------------------------------------------------

textures/demo/lamp
{
	q3map_surfacelight 2500
	q3map_lightimage textures/demo/lamp_glow.png
	surfaceparm nomarks
	{
		map $lightmap
		rgbGen identity
	}
	{
		map textures/demo/lamp.png
		blendFunc GL_DST_COLOR GL_ZERO
		rgbGen identity
	}
	{
		map textures/demo/lamp_glow.png
		blendFunc GL_ONE GL_ONE
	}
}

textures/demo/lampcool
{
	q3map_surfacelight 1500
	q3map_lightimage textures/demo/lampcool_g.png
	surfaceparm nomarks
	{
		map $lightmap
		rgbGen identity
	}
	{
		map textures/demo/lampcool.png
		blendFunc GL_DST_COLOR GL_ZERO
		rgbGen identity
	}
	{
		map textures/demo/lampcool_g.png
		blendFunc add
		rgbGen wave sin 0.85 0.15 0 0.4
	}
}

// Frames, and no lightmap at all.
textures/demo/screen
{
	qer_editorimage textures/demo/screen1.png
	q3map_surfacelight 200
	surfaceparm nomarks
	{
		animMap 4 textures/demo/screen1.png textures/demo/screen2.png textures/demo/screen3.png textures/demo/screen4.png
		rgbGen identity
	}
}

textures/demo/magma
{
	q3map_surfacelight 800
	{
		map textures/demo/magma.jpg
		tcMod turb 0 0.03 0 0.05
		rgbGen wave sin 0.9 0.1 0 0.3
	}
}

// Runs along the edge of the stage.
textures/demo/strip
{
	qer_trans 0.5
	surfaceparm trans
	surfaceparm nolightmap
	polygonOffset
	{
		clampMap textures/demo/strip.png // overridden by demo2.shader, which is later in the list
		blendFunc add
	}
}

textures/demo/cube
{
	{
		map textures/demo/cube.jpg
		rgbGen identity
	}
	{
		map textures/demo/chrome.jpg
		blendFunc GL_DST_COLOR GL_ONE
		tcGen environment
		rgbGen identity
	}
	{
		map $lightmap
		blendFunc filter
	}
	{
		map textures/demo/cube_glow.tga
		blendFunc GL_ONE GL_ONE
		rgbGen wave triangle 0.6 0.4 0 0.5
	}
}

// ---- holes and glass -----------------------------------------------------------------------------------------------

textures/demo/grate
{
	surfaceparm trans
	surfaceparm alphashadow
	cull none
	nopicmip
	{
		map textures/demo/grate.tga
		alphaFunc GE128
		depthWrite
		rgbGen identity
	}
	{
		map $lightmap
		blendFunc filter
		depthFunc equal
		rgbGen identity
	}
}

textures/demo/glass
{
	surfaceparm trans
	surfaceparm nolightmap
	cull none
	qer_trans 0.5
	{
		map textures/demo/glass.tga
		blendFunc blend
		rgbGen identity
	}
	{
		map textures/demo/chrome.jpg
		blendFunc GL_SRC_ALPHA GL_ONE
		tcGen environment
		alphaGen const 0.12
	}
}

textures/demo/banner
{
	surfaceparm trans
	surfaceparm nonsolid
	cull disable
	deformVertexes wave 100 sin 0 2 0 0.3
	{
		map textures/demo/banner.png
		alphaFunc GT0
		depthWrite
		rgbGen identity
	}
	{
		map $lightmap
		blendFunc GL_DST_COLOR GL_ZERO
		depthFunc equal
	}
}

// A stencil on the floor.
textures/demo/decal
{
	surfaceparm trans
	surfaceparm nonsolid
	polygonOffset
	sort decal
	{
		clampMap textures/demo/decal.png
		blendFunc GL_SRC_ALPHA GL_ONE_MINUS_SRC_ALPHA
		rgbGen vertex
	}
}

textures/demo/sign
{
	surfaceparm trans
	polygonOffset
	{
		clampMap textures/demo/sign.png
		rgbGen const ( 0.9 1 0.95 )
		tcMod transform 1 0 0 1 0 0
	}
}

textures/demo/fan
{
	surfaceparm trans
	polygonOffset
	{
		clampMap textures/demo/fan.png
		alphaFunc GE128
		tcMod rotate 120
		rgbGen vertex
	}
}

// ---- models --------------------------------------------------------------------------------------------------------

textures/demo/vase
{
	surfaceparm nolightmap
	{
		map textures/demo/vase.jpg
		rgbGen vertex
	}
}

textures/demo/chrome
{
	surfaceparm nolightmap
	{
		map textures/demo/chrome.jpg
		tcGen environment
		rgbGen exactVertex
	}
	{
		map textures/demo/chrome.jpg
		blendFunc add
		tcGen environment
		tcMod scale 2 2
		rgbGen const ( 0.25 0.3 0.4 )
	}
}

textures/demo/flare
{
	cull none
	{
		map textures/demo/flare.png
		blendFunc GL_ONE GL_ONE
		rgbGen vertex
	}
}

// ---- liquids and air -----------------------------------------------------------------------------------------------

textures/demo/water
{
	qer_trans 0.5
	q3map_globaltexture
	surfaceparm trans
	surfaceparm nonsolid
	surfaceparm water
	surfaceparm nolightmap
	cull disable
	tessSize 64
	deformVertexes wave 64 sin 0 1.5 0 0.4
	{
		map textures/demo/water.jpg
		blendFunc GL_SRC_ALPHA GL_ONE_MINUS_SRC_ALPHA
		alphaGen const 0.7
		rgbGen identity
		tcMod turb 0 0.06 0 0.12
		tcMod scroll 0.01 0.02
	}
	{
		map textures/demo/water.jpg
		blendFunc add
		rgbGen const ( 0.3 0.3 0.3 )
		tcMod scale 0.6 0.6
		tcMod scroll -0.02 0.01
	}
}

textures/demo/waterfall
{
	qer_trans 0.5
	surfaceparm trans
	surfaceparm nonsolid
	surfaceparm nolightmap
	cull none
	{
		map textures/demo/waterfall.png
		blendFunc blend
		rgbGen identity
		tcMod scroll 0 -0.9
	}
	{
		map textures/demo/waterfall.png
		blendFunc GL_SRC_ALPHA GL_ONE
		rgbGen const ( 0.3 0.35 0.4 )
		tcMod scale 0.7 0.8
		tcMod scroll 0.02 -0.6
	}
}

textures/demo/pitfog
{
	surfaceparm trans
	surfaceparm nonsolid
	surfaceparm fog
	surfaceparm nolightmap
	qer_nocarve
	fogParms ( 0.55 0.14 0.04 ) 180
}

// ---- skies ---------------------------------------------------------------------------------------------------------

// Six images: env/demo/dusk_rt.jpg and so on.
textures/demo/dusk
{
	qer_editorimage env/demo/dusk_up.jpg
	surfaceparm sky
	surfaceparm noimpact
	surfaceparm nomarks
	surfaceparm nolightmap
	q3map_sun 1 0.71 0.42 180 65 225
	q3map_skylight 90 3
	skyParms env/demo/dusk - -
}

// No box, two layers of clouds on a dome.
textures/demo/clouds
{
	qer_editorimage textures/demo/clouds.jpg
	surfaceparm sky
	surfaceparm noimpact
	surfaceparm nomarks
	surfaceparm nolightmap
	skyParms - 384 -
	{
		map textures/demo/sky.jpg
		rgbGen identity
	}
	{
		map textures/demo/clouds.jpg
		blendFunc GL_ONE GL_ONE_MINUS_SRC_COLOR
		tcMod scale 3 2
		tcMod scroll 0.02 0.01
	}
	{
		map textures/demo/wisps.jpg
		blendFunc GL_ONE GL_ONE_MINUS_SRC_COLOR
		tcMod scale 5 4
		tcMod scroll 0.04 0.03
		rgbGen const ( 0.6 0.6 0.7 )
	}
}

// ---- tools ---------------------------------------------------------------------------------------------------------

textures/common/caulk
{
	surfaceparm nodraw
	surfaceparm nolightmap
	surfaceparm nomarks
}

textures/common/nodraw
{
	surfaceparm nodraw
	surfaceparm nonsolid
	surfaceparm trans
	surfaceparm nolightmap
}

textures/common/hint
{
	surfaceparm nodraw
	surfaceparm nonsolid
	surfaceparm structural
	surfaceparm hint
}

textures/common/clip
{
	surfaceparm nodraw
	surfaceparm nolightmap
	surfaceparm nonsolid
	surfaceparm playerclip
}

textures/common/trigger
{
	surfaceparm nodraw
	surfaceparm nolightmap
	surfaceparm nonsolid
}
