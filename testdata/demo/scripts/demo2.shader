// Later in the list than demo.shader, so what is here wins over what is there: the strip repeats and scrolls.
textures/demo/strip
{
	qer_trans 0.5
	surfaceparm trans
	surfaceparm nolightmap
	polygonOffset
	{
		map textures/demo/strip.png
		blendFunc add
		tcMod transform 0.75 0 0 1 0.1 0
		tcMod scroll -0.5 0
	}
}

// Of two blocks in one file the first wins: this one repeats a name that only this file has.
textures/demo/twice
{
	{
		map textures/demo/noscript.png
	}
}
textures/demo/twice
{
	{
		map textures/demo/missing.png
	}
}
