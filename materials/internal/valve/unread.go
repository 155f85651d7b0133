package valve

import (
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/vmt"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// readParameters are the parameters that this package and vmt name; a test compares them with the code.
var readParameters = strings.Fields(`
	$abovewater $additive $addself $allowdiffusemodulation $alpha $alpha2 $alphatest $alphatestreference $ambientoccltexture
	$ambientocclusiontexture $basealphaenvmapmask $basemapalphaphongmask $basetexture $basetexture2 $basetexture3 $basetexture4
	$basetexturetransform $basetexturetransform2 $basetexturetransform3 $basetexturetransform4 $blendmasktransform
	$blendmodulatetexture $blendtintbybasealpha $blendtintcoloroverbase $bottommaterial $bumpframe $bumpframe2 $bumpmap $bumpmap2
	$bumpmask $bumptransform $bumptransform2 $cloakpassenabled $color $color2 $compress $corneatexture $decal $decaltexture
	$depthblend $detail $detail2 $detail_alpha_mask_base_texture $detailblendfactor $detailblendmode $detailframe $detailscale
	$detailtexturetransform $detailtint $distancealpha $dudvmap $emissiveblendbasetexture $emissiveblendenabled
	$emissiveblendstrength $emissiveblendtint $envmap $envmapcontrast $envmapfresnel $envmapmask $envmapmask2 $envmapmaskframe
	$envmapmaskframe2 $envmapmasktransform $envmapmasktransform2 $envmapsaturation $envmaptint $fadeoutonsilhouette
	$fleshinteriorenabled $flowmap $fogcolor $fogenable $fogend $fogstart $forcecheap $frame $frame2 $frame3 $frame4
	$fresnelreflection $hdrbasetexture $hdrcompressedtexture $invertphongmask $iris $irisframe $lightwarptexture $maskedblending
	$masks1 $masks2 $material $mod2x $mraotexture $no_draw $nocull $normalmap $normalmap2 $normalmapalphaenvmapmask $notint
	$opaquetexture $outline $overbrightfactor $parallaxmap $phong $phongexponenttexture $phongfresnelranges $phongwarptexture
	$pointsamplemagfilter $pos
	$refracttint $refracttinttexture $rimlight $seamless_base $seamless_scale $selfillum $selfillumfresnel
	$selfillumfresnelminmaxexp $selfillummask $selfillumtint $separatedetailuvs $sheenpassenabled $size $softedges
	$spheretexkillcombo $ssbump $stretch $surfaceprop $texture2 $texture2transform $translucent $treesway $vertexalpha
	$vertexcolor
`)

// numberedParameters are read with a number in their names, without it; $decalscale is read where decals get their size.
var numberedParameters = strings.Fields("$texture_blendstart $texture_blendend $texture_lumstart $texture_lumend " +
	"$texture_uvscale $lumblendfactor $decalscale")

// plainParameters change nothing that a picture shows: what a surface sounds like, how an image is kept, which models may have it.
var plainParameters = strings.Fields("$model $surfaceprop2 $surfaceprop3 $surfaceprop4 $nomip $nolod $reflectivity $srgb")

// reportUnread reports the parameters that nothing reads, each once. A name that a proxy of the material uses is its own variable.
func reportUnread(vp *Planner, v *vmt.Material) {
	for _, p := range v.Params {
		numbered := slices.Contains(numberedParameters, strings.Map(withoutDigits, p.Name))
		known := numbered || slices.Contains(readParameters, p.Name) || slices.Contains(plainParameters, p.Name)
		if known || !strings.HasPrefix(p.Name, "$") || variable(v, p.Name) {
			continue
		}
		vp.Into.Issue(world.Issue{Code: "parameter-unread", Where: p.Name, Detail: "what it does in the game is not shown"})
	}
}

func withoutDigits(r rune) rune {
	if '0' <= r && r <= '9' {
		return -1
	}
	return r
}

// variable reports whether a proxy reads or writes a parameter, or one of its numbers: $v[0].
func variable(v *vmt.Material, name string) bool {
	return slices.ContainsFunc(v.Proxies, func(p vmt.Proxy) bool {
		return slices.ContainsFunc(p.Params, func(x vmt.Param) bool {
			used, _, _ := strings.Cut(strings.ToLower(x.Value), "[")
			return used == name
		})
	})
}
