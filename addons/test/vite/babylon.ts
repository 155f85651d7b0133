// What a user of bsp2gltf-babylon writes, with the modules of Babylon.js and all that our types say.
import { AppendSceneAsync, Color4, EffectRenderer, EffectWrapper, Engine, MaterialPluginBase, PBRMaterial, Scene, UniversalCamera, Vector3 } from '@babylonjs/core';
import '@babylonjs/loaders/glTF';
import { GLTFLoader } from '@babylonjs/loaders/glTF/2.0';
import { bsp2gltf, bsp2gltfMovements, bsp2gltfAmbient, bsp2gltfMotion, bsp2gltfStyles, type Movement, type Options } from 'bsp2gltf-babylon';
import { eye, fov, size, yaw } from './view';

const options: Options = { strength: 1, exposure: true, second: true, environment: true, motion: true, hidden: true, MaterialPluginBase };
bsp2gltf(GLTFLoader, options);
const canvas = document.body.appendChild(document.createElement('canvas'));
[canvas.width, canvas.height] = size;
const scene = new Scene(new Engine(canvas, false, { preserveDrawingBuffer: true }));
scene.clearColor = new Color4(0, 0, 0, 1);
await AppendSceneAsync('/map.glb', scene);
const movements = bsp2gltfMovements(scene), first: Movement | undefined = movements.movements[0];
if (first) movements.play(first);
movements.still();
bsp2gltfMotion(scene).still();
const styles = bsp2gltfStyles(scene, { EffectRenderer, EffectWrapper });
styles.list.forEach((s) => { s.on = s.pattern === ''; });
const ambient = await bsp2gltfAmbient(scene), thing: PBRMaterial | undefined = ambient?.shade(new PBRMaterial('thing', scene)), falls: number[] | undefined = ambient?.light(Vector3.Zero()).on(Vector3.Up());
if (ambient && (!thing || falls?.length !== 3)) throw new Error('there is no light');
const [x, y, z] = eye, turn = (yaw * Math.PI) / 180, camera = new UniversalCamera('eye', new Vector3(-x, y, z), scene); // Babylon turns what it loads
camera.setTarget(camera.position.add(new Vector3(Math.sin(turn), 0, -Math.cos(turn))));
Object.assign(camera, { fov: (fov * Math.PI) / 180, minZ: 0.05, maxZ: 5000 });
scene.activeCamera = camera;
await scene.whenReadyAsync();
scene.render();
scene.render();
document.title = 'ready';
