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

#endif
