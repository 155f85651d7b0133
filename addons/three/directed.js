// Lightmaps with directions of light (docs/internals/light.md of bsp2gltf): they light normal maps, and give highlights.
import { Vector3 } from 'three';
import { materialsOf, stored } from './traverse.js';
import { declare, patch, replace } from './patch.js';
import { demandLight, ON_LIGHT, ON_SHOWN } from './slots.js';

/** Uses the directions of the light in lightmaps, where the file has them. The promise ends when the textures are loaded. */
export function bsp2gltfDirected(gltf) {
  const { parser } = gltf;
  return Promise.all(
    materialsOf(gltf).map((material) => {
      const x = material.userData.directed;
      if (!Number.isInteger(x?.texture) || !material.isBakedMaterial || !material.display || !material.lightMap) return null;
      const normal = parser.json.materials[parser.associations.get(material)?.materials]?.normalTexture?.index;
      return direct(parser, material, x, normal);
    }),
  );
}

async function direct(parser, material, { texture, ambient = 0, gloss }, normal) {
  const loaded = (i) => (Number.isInteger(i) ? stored(parser, i) : null);
  const [toward, slopes, highlights] = await Promise.all([texture, ...(material.map ? [normal, gloss] : [])].map(loaded));
  for (const t of [slopes, highlights]) if (t) t.anisotropy = material.map.anisotropy;
  const uniforms = {
    directedMap: { value: toward },
    directedSlopes: { value: slopes },
    directedGloss: { value: highlights },
    directedAmbient: { value: Number(ambient) || 0 },
  };
  const head = (slopes ? '#define DIRECTED_SLOPES\n' : '') + (highlights ? '#define DIRECTED_GLOSS\n' : '');
  patch(material, `directed ${head}`, (shader) => show(shader, uniforms, head));
}

function show(shader, uniforms, head) {
  demandLight(shader);
  Object.assign(shader.uniforms, uniforms);
  declare(shader, 'vertex', VARYINGS);
  replace(shader, 'vertex', '#include <project_vertex>', `$&${PLACE}`);
  declare(shader, 'fragment', head + VARYINGS + UNIFORMS);
  replace(shader, 'fragment', ON_LIGHT, `$&${TURN}`);
  replace(shader, 'fragment', ON_SHOWN, '$&\n  shown += directedShine;');
}

const VARYINGS = 'varying vec3 vDirectedNormal, vDirectedAt, vDirectedEye;\n';

// Directions are in the mesh's axes with Y up: the light of a moving object moves with it.
const PLACE = `
vDirectedNormal = normal;
vDirectedAt = position;
vDirectedEye = (inverse(modelMatrix) * vec4(cameraPosition, 1.0)).xyz - position;
`;
const UNIFORMS = `
uniform sampler2D directedMap, directedSlopes, directedGloss;
uniform float directedAmbient;
vec3 directedShine = vec3(0.0);
`;

// The engine's tangent frame: the texture's right and up, and the vertex normal. The lightmap's value is divided by the cosine of the
// light's angle, at most by 1/4. DarkPlaces, shader_glsl.h, MODE_LIGHTDIRECTIONMAP_MODELSPACE.
const TURN = `
{
  vec3 up = normalize(vDirectedNormal), right = vec3(0.0), along = vec3(0.0), slope = vec3(0.0, 0.0, 1.0);
#ifdef USE_MAP
  vec3 px = dFdx(vDirectedAt), py = dFdy(vDirectedAt);
  vec2 tx = dFdx(vMapUv), ty = dFdy(vMapUv);
  float turned = tx.x * ty.y < tx.y * ty.x ? -1.0 : 1.0;
  right = (px * ty.y - py * tx.y) * turned;
  along = (px * ty.x - py * tx.x) * turned;
  right = normalize(right - up * dot(up, right) + 1e-20);
  along = normalize(along - up * dot(up, along) + 1e-20);
#endif
#ifdef DIRECTED_SLOPES
  slope = normalize(texture2D(directedSlopes, vMapUv).xyz - 0.5);
#endif
  vec3 toward = texture2D(directedMap, vLightMapUv).xzy * 2.0 - 1.0;
  toward.z = -toward.z;
  toward = normalize(vec3(dot(toward, right), dot(toward, along), dot(toward, up)));
  vec3 own = max(lightShown - directedAmbient, vec3(0.0)) / max(0.25, toward.z);
#ifdef DIRECTED_GLOSS
  vec4 gloss = texture2D(directedGloss, vMapUv);
  vec3 eye = normalize(vec3(dot(vDirectedEye, right), dot(vDirectedEye, along), dot(vDirectedEye, up)));
  directedShine = gloss.rgb * pow(max(dot(slope, normalize(toward + eye)), 0.0), 1.0 + 31.0 * gloss.a) * own;
#endif
  lightShown = directedAmbient + own * max(dot(slope, toward), 0.0);
}
`;
