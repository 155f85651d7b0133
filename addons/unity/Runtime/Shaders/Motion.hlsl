// How textures and vertices of bsp2gltf/Baked move, from docs/internals/readers.md, "Motion". Core/MaterialMotion.cs says what the numbers are. It is plain
// arithmetic without Unity's includes.
#ifndef BSP2GLTF_MOTION_INCLUDED
#define BSP2GLTF_MOTION_INCLUDED

#define BSP2GLTF_TURN 6.28318531

// A wave of a shape, with base, amplitude and phase, and a frequency.
float Bsp2GltfWave(float4 wave, float frequency, float time)
{
    float x = frac(wave.w + frequency * time);
    float shape = sin(BSP2GLTF_TURN * x);
    if (wave.x > 4.5) shape = sin(BSP2GLTF_TURN * 7.3 * x) * sin(BSP2GLTF_TURN * 3.1 * x + 1.0); // random in the game
    else if (wave.x > 3.5) shape = 1.0 - x;
    else if (wave.x > 2.5) shape = x;
    else if (wave.x > 1.5) shape = x < 0.5 ? 1.0 : -1.0;
    else if (wave.x > 0.5) shape = x < 0.25 ? 4.0 * x : x < 0.75 ? 2.0 - 4.0 * x : 4.0 * x - 4.0;
    return wave.y + wave.z * shape;
}

// Coordinates after one change. at is the place by which turbulence differs.
float2 Bsp2GltfMoved(float2 p, float4 a, float4 b, float2 at, float time)
{
    if (a.x < 0.5) return p;
    if (a.x < 1.5) return float2(a.y * p.x + a.z * p.y + a.w, b.x * p.x + b.y * p.y + b.z);
    if (a.x < 2.5) return p + frac(a.yz * time);
    if (a.x < 3.5)
    {
        float angle = -BSP2GLTF_TURN * frac(a.y * time / 360.0);
        p -= 0.5;
        return float2(cos(angle) * p.x - sin(angle) * p.y, sin(angle) * p.x + cos(angle) * p.y) + 0.5;
    }
    if (a.x < 4.5)
    {
        float wide = Bsp2GltfWave(float4(b.y, a.yzw), b.x, time);
        return (p - 0.5) / (abs(wide) > 0.0001 ? wide : 1.0) + 0.5;
    }
    if (a.x < 5.5) return p + a.y * sin(BSP2GLTF_TURN * (a.z + a.w * time + at));
    return p + a.y * sin(p.yx * a.z + a.w * time);
}

// A vertex after one movement, in Unity's axes. s is its first texture coordinate; scale is 1 by the length of turbulence.
float3 Bsp2GltfDeformed(float3 p, float3 normal, float s, float4 a, float4 b, float4 c, float scale, float time)
{
    if (a.x < 0.5) return p;
    if (a.x < 1.5) return p + normal * Bsp2GltfWave(float4(a.yzw, b.x + b.z * (p.y - p.x - p.z)), b.y, time);
    if (a.x < 2.5) return p + c.xyz * Bsp2GltfWave(float4(a.yzw, b.x), b.y, time);
    if (a.x < 3.5) return p + normal * (a.z * sin(s * a.y + a.w * time));
    float2 at = float2(-p.x, -p.z) * (4.0 * scale);
    float swell = sin(BSP2GLTF_TURN * frac(0.625 * time + at.x + at.y)) + 0.8 * sin(BSP2GLTF_TURN * frac(0.66796875 * time + 5.0 * at.x - at.y));
    return p + float3(0.0, a.y * swell, 0.0);
}

// A linear colour that a wave multiplies as displayed.
float3 Bsp2GltfTinted(float3 color, float4 wave, float4 rate, float time)
{
    if (rate.z < 0.5) return color;
    return Bsp2GltfDecode(Bsp2GltfEncode(color) * (saturate(Bsp2GltfWave(wave, rate.x, time)) / rate.y));
}

#endif
