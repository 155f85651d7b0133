// How a baked material looks, from docs/internals/light.md: Core/LightCurve.cs in the shader. It is plain arithmetic without Unity's includes.
#ifndef BSP2GLTF_LIGHT_INCLUDED
#define BSP2GLTF_LIGHT_INCLUDED

// sRGB to linear. Beyond 1 the power goes on.
float3 Bsp2GltfDecode(float3 c)
{
    c = max(c, float3(0.0, 0.0, 0.0));
    float3 low = c / 12.92;
    float3 high = pow((c + 0.055) / 1.055, float3(2.4, 2.4, 2.4));
    return float3(c.r <= 0.04045 ? low.r : high.r, c.g <= 0.04045 ? low.g : high.g, c.b <= 0.04045 ? low.b : high.b);
}

// Linear to sRGB, the inverse.
float3 Bsp2GltfEncode(float3 c)
{
    c = max(c, float3(0.0, 0.0, 0.0));
    float3 low = c * 12.92;
    float3 high = 1.055 * pow(c, float3(1.0 / 2.4, 1.0 / 2.4, 1.0 / 2.4)) - 0.055;
    return float3(c.r <= 0.0031308 ? low.r : high.r, c.g <= 0.0031308 ? low.g : high.g, c.b <= 0.0031308 ? low.b : high.b);
}

// The linear colour that is shown, from linear base colour, light (texel times intensity without gain, times strength) and emission.
// curve is the albedo and the exponent that the light was stored for; 1 where the game multiplies as displayed, else 0; the gain.
float3 Bsp2GltfShown(float3 base, float3 light, float3 emission, float4 curve, float3 emissionScale)
{
    if (curve.z < 0.5) return base * light + emission;
    float albedo = Bsp2GltfDecode(float3(curve.x, curve.x, curve.x)).x;
    float3 l = curve.w * Bsp2GltfEncode(light * albedo) / pow(curve.x, curve.y);
    float3 shown = pow(Bsp2GltfEncode(base), float3(curve.y, curve.y, curve.y)) * l + Bsp2GltfEncode(emission) * emissionScale;
    return Bsp2GltfDecode(min(shown, float3(1.0, 1.0, 1.0)));
}

// How much of each of the three tilted lights a texel of a normal map shows (LightCurve.Shares); nothing where it leans to none.
float3 Bsp2GltfShares(float3 texel)
{
    float u = (2.0 * texel.r - 1.0) * 0.40824829;
    float v = (1.0 - 2.0 * texel.g) * 0.70710678;
    float up = (2.0 * texel.b - 1.0) * 0.57735027;
    float3 shares = max(float3(up + 2.0 * u, up - u + v, up - u - v), float3(0.0, 0.0, 0.0));
    shares *= shares;
    return shares / max(shares.r + shares.g + shares.b, 1e-6);
}

// How much the map's fog by distance covers at a distance: range is its start, 1 / (end - start), density, and 0 without fog; law the
// thickness of fog that thickens exponentially, its power, its end, and the part of a sky that it covers. The second number is the part;
// the first is 1 where it covers linear light, and 0 where it covers what is displayed (docs/internals/materials.md, "Fog by distance").
float2 Bsp2GltfRangeFog(float distance, float4 range, float4 law, float sky)
{
    if (range.w < 0.5) return float2(1.0, 0.0);
    if (sky > 0.5) return float2(0.0, law.w);
    if (law.x > 0.0)
        return float2(0.0, range.z * (1.0 - exp(-pow(max(min(distance, law.z) - range.x, 0.0) * law.x, law.y))));
    float f = min(saturate((distance - range.x) * range.y), range.z);
    return float2(1.0, f * f);
}

// The fog's colour where the eye looks: facing is the cosine to its direction; second.w is 0 without a second colour.
float3 Bsp2GltfFogColor(float3 color, float4 second, float facing)
{
    if (second.w < 0.5) return color;
    return Bsp2GltfDecode(lerp(Bsp2GltfEncode(second.rgb), Bsp2GltfEncode(color), 0.5 + 0.5 * facing));
}

float3 Bsp2GltfFogged(float3 shown, float3 color, float2 part)
{
    if (part.y <= 0.0) return shown;
    if (part.x > 0.5) return lerp(shown, color, part.y);
    return Bsp2GltfDecode(lerp(min(Bsp2GltfEncode(shown), float3(1.0, 1.0, 1.0)), Bsp2GltfEncode(color), part.y));
}

// What a display of the game's gamma shows of a linear colour.
float3 Bsp2GltfDisplayed(float3 shown, float gamma)
{
    if (gamma == 1.0 || gamma <= 0.0) return shown;
    float power = 1.0 / gamma;
    return Bsp2GltfDecode(pow(Bsp2GltfEncode(shown), float3(power, power, power)));
}

// The factor of what is behind a material that multiplies it by its colour (docs/internals/readers.md, "What is behind"), 0 to 2 as displayed.
// clear is the part that fog leaves, and gamma that of the display.
float3 Bsp2GltfFactor(float3 shown, float alpha, float clear, float gamma)
{
    float3 factor = 1.0 + alpha * clear * (2.0 * min(Bsp2GltfEncode(shown), float3(1.0, 1.0, 1.0)) - 1.0);
    float power = gamma > 0.0 ? 1.0 / gamma : 1.0;
    return pow(max(factor, float3(0.0, 0.0, 0.0)), float3(power, power, power));
}

#endif
