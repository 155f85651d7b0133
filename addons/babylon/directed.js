// Lightmaps with directions of light (docs/internals/light.md): they light normal maps, and give highlights.

/** Gives a display plugin the directions of a lightmap's light, the material's normal map and highlights, once all are loaded. */
export function loadDirected(loader, context, plugin, { texture: toward, ambient, gloss }, slopes, mapped) {
  if (!Number.isInteger(toward)) return;
  const wanted = Object.entries({ toward, ...(mapped ? { slopes, gloss } : {}) }).filter(([, index]) => Number.isInteger(index)), textures = {};
  wanted.forEach(([name, index]) => plugin.load(loader, `${context}/directed/${name}`, index, (texture) => {
    textures[name] = texture;
    if (Object.keys(textures).length < wanted.length) return;
    plugin.directed = { textures, ambient: Number(ambient) || 0 };
    plugin.markAllDefinesAsDirty();
  }));
}

const SAMPLERS = { toward: 'bakedToward', slopes: 'bakedSlopes', gloss: 'bakedGloss' };
export const DIRECTED_SAMPLERS = Object.values(SAMPLERS);
export function directedUniforms(buffer, directed) {
  buffer.updateFloat4('bakedDirected', directed?.ambient ?? 0, 0, 0, 0);
  for (const [name, texture] of Object.entries(directed?.textures ?? {})) buffer.setTexture(SAMPLERS[name], texture);
}

export const DIRECTED_VERTEX_DEFINITIONS = `
#ifdef BSP2GLTF_DIRECTED
varying vec3 vBakedNormal;
varying vec3 vBakedAt;
varying vec3 vBakedEye;
#endif
`;
// Directions are in the mesh's axes with Y up: the light of a moving object moves with it. Nodes may be rotated, mirrored and uniformly
// scaled.
export const DIRECTED_VERTEX = `
#ifdef BSP2GLTF_DIRECTED
  vBakedNormal = normal;
  vBakedAt = position;
  vBakedEye = (vEyePosition.xyz - worldPos.xyz) * mat3(finalWorld);
#endif
`;
// The engine's tangent frame: the texture's right and up, and the vertex normal. The lightmap's value is divided by the cosine of the
// light's angle, at most by 1/4. DarkPlaces, shader_glsl.h, MODE_LIGHTDIRECTIONMAP_MODELSPACE.
export const DIRECTED = `
#ifdef BSP2GLTF_DIRECTED
varying vec3 vBakedNormal;
varying vec3 vBakedAt;
varying vec3 vBakedEye;
uniform sampler2D bakedToward;
#ifdef BSP2GLTF_SLOPES
uniform sampler2D bakedSlopes;
#endif
#ifdef BSP2GLTF_GLOSS
uniform sampler2D bakedGloss;
#endif
vec3 bakedTurned(vec3 light, vec2 page, out vec3 shine) {
  vec3 up = normalize(vBakedNormal), right = vec3(0.0), along = vec3(0.0), slope = vec3(0.0, 0.0, 1.0);
#if defined(BSP2GLTF_SLOPES) || defined(BSP2GLTF_GLOSS)
  vec3 px = dFdx(vBakedAt), py = dFdy(vBakedAt);
  vec2 tx = dFdx(bakedUV), ty = dFdy(bakedUV);
  float turned = tx.x * ty.y < tx.y * ty.x ? -1.0 : 1.0;
  right = (px * ty.y - py * tx.y) * turned;
  along = (px * ty.x - py * tx.x) * turned;
  right = normalize(right - up * dot(up, right) + 1e-20);
  along = normalize(along - up * dot(up, along) + 1e-20);
#endif
#ifdef BSP2GLTF_SLOPES
  slope = normalize(texture2D(bakedSlopes, bakedUV).xyz - 0.5);
#endif
  vec3 toward = texture2D(bakedToward, page).xzy * 2.0 - 1.0;
  toward.z = -toward.z;
  toward = normalize(vec3(dot(toward, right), dot(toward, along), dot(toward, up)));
  vec3 own = max(light - bakedDirected.x, vec3(0.0)) / max(0.25, toward.z);
  shine = vec3(0.0);
#ifdef BSP2GLTF_GLOSS
  vec4 gloss = texture2D(bakedGloss, bakedUV);
  vec3 eye = normalize(vec3(dot(vBakedEye, right), dot(vBakedEye, along), dot(vBakedEye, up)));
  shine = gloss.rgb * pow(max(dot(slope, normalize(toward + eye)), 0.0), 1.0 + 31.0 * gloss.a) * own;
#endif
  return bakedDirected.x + own * max(dot(slope, toward), 0.0);
}
#endif
`;
