// The shaders of the feature maps that need more than an image.

textures/features/vertex
{
	{
		map textures/features/checker.png
		rgbGen vertex
		alphaGen vertex
		blendFunc blend
	}
}

textures/features/flare
{
	surfaceparm nolightmap
	cull none
	{
		map textures/features/uv.png
		blendFunc add
		rgbGen vertex
	}
}

textures/features/sprite
{
	surfaceparm nolightmap
	cull none
	deformVertexes autosprite
	{
		map textures/features/leaf.tga
		alphaFunc GE128
		rgbGen vertex
	}
}

textures/features/spriteup
{
	surfaceparm nolightmap
	cull none
	deformVertexes autosprite2
	{
		map textures/features/leaf.tga
		alphaFunc GE128
		rgbGen vertex
	}
}

textures/features/redfog
{
	surfaceparm fog
	surfaceparm nonsolid
	surfaceparm trans
	fogParms ( 0.6 0.1 0.1 ) 200
}

textures/features/bluefog
{
	surfaceparm fog
	surfaceparm nonsolid
	surfaceparm trans
	fogParms ( 0.1 0.1 0.6 ) 400
}

textures/common/nodraw
{
	surfaceparm nodraw
	surfaceparm nonsolid
	surfaceparm nolightmap
}
