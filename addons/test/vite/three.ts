// What a user of bsp2gltf-three writes, with all that its types say.
import { Color, PerspectiveCamera, Scene, WebGLRenderer } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import {
  BakedLambertMaterial, BakedMaterial, bsp2gltf, bsp2gltfDispose, DisplayRenderPass, bsp2gltfAmbient, bsp2gltfExposure, bsp2gltfLightmaps, bsp2gltfMerge, bsp2gltfSecond, bsp2gltfShow, bsp2gltfSky, hidePunctualLights, wave,
  type Movement, type Bsp2gltf, type Exposure, type Merged, type Options, type Show,
} from 'bsp2gltf-three';
import { type Bsp2gltfWebGPU } from 'bsp2gltf-three/webgpu';
import { eye, fov, size, yaw } from './view';

const options: Options = { strength: 1, unlit: true, anisotropy: 4, show: true, merge: true, exposure: true, second: true, fog: true, sky: true };
const gltf = await bsp2gltf(new GLTFLoader(), options).loadAsync('/map.glb');
const { motion, styles, variants, levels, ambient, exposure, fog, show, merged }: Bsp2gltf = gltf.bsp2gltf;
const first: Movement | undefined = motion.movements[0];
if (first) motion.play(first.name)?.object.updateMatrix();
motion.still();
styles.list.forEach((s) => { s.on = s.pattern === ''; });
variants.select(null);
levels.show(0);
ambient?.probe(gltf.scene.position).sh.coefficients[0]?.length();
const stated: Exposure | undefined = exposure, chosen: Show | undefined = show, together: Merged | undefined = merged;
if (!stated || !chosen || !together || !fog) throw new Error('a part is missing');
[stated.factor, chosen.strength, chosen.only, fog.on] = [stated.factor, 1, 'lit', true];
together.update();
motion.calm = true;
hidePunctualLights(gltf);
new BakedMaterial({ color: new Color(1, 1, 1) }).display = null;
// The types of gltf.bsp2gltf wherever a GLTF is.
export function replaced(loader: GLTFLoader, data: ArrayBuffer, nodes: Bsp2gltfWebGPU): void {
  loader.load('/map.glb', (loaded) => { loaded.bsp2gltf.update(0); loaded.bsp2gltf.dispose(); }); // with WebGPURenderer
  void loader.parseAsync(data, '').then((parsed) => { parsed.bsp2gltf.ambient?.shade(parsed.scene).updateMatrix(); bsp2gltfDispose(parsed); });
  nodes.update(0);
}
export const classes = [BakedLambertMaterial, DisplayRenderPass];
export const unused = [wave(['sin', 0, 1, 0, 1], 0), bsp2gltfAmbient, bsp2gltfExposure, bsp2gltfLightmaps, bsp2gltfMerge, bsp2gltfSecond, bsp2gltfShow, bsp2gltfSky];

const renderer = new WebGLRenderer({ preserveDrawingBuffer: true });
renderer.setSize(size[0], size[1]);
document.body.append(renderer.domElement);
const camera = new PerspectiveCamera(fov, size[0] / size[1], 0.05, 5000);
camera.position.set(...eye);
camera.rotation.set(0, (yaw * Math.PI) / 180, 0, 'YXZ');
renderer.render(new Scene().add(gltf.scene), camera);
document.title = 'ready';
