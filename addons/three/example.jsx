// A map in React Three Fiber: <Bsp2gltf url="map.glb" />, below <Canvas flat> and, for what is solid, below <Physics> of @react-three/rapier.
// Convert with --set geometry.collision=brushes to have solids. When a map is replaced for good: gltf.bsp2gltf.dispose(), useLoader.clear(GLTFLoader, url).
import { useMemo } from 'react';
import { useFrame, useLoader } from '@react-three/fiber';
import { ConvexHullCollider, RigidBody, TrimeshCollider } from '@react-three/rapier';
import { Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { bsp2gltf } from 'bsp2gltf-three';

export function Bsp2gltf({ url, options }) {
  const gltf = useLoader(GLTFLoader, url, (loader) => { bsp2gltf(loader.setMeshoptDecoder(MeshoptDecoder), options); });
  useFrame(({ clock, gl }) => { gltf.bsp2gltf.update(clock.elapsedTime, gl); });
  const colliders = useMemo(() => solidsOf(gltf), [gltf]);
  return <>
    <primitive object={gltf.scene} dispose={null} />
    <RigidBody type="fixed" colliders={false}>{colliders.map(({ key, Collider, args }) => <Collider key={key} args={args} />)}</RigidBody>
  </>;
}

// solidsOf returns what stops a player: convex solids end in -convcolonly, curved surfaces in -colonly.
function solidsOf(gltf) {
  const found = [];
  gltf.scene.updateMatrixWorld(true);
  gltf.scene.traverse((mesh) => {
    const solid = /-(conv)?colonly$/.exec(mesh.userData.name ?? mesh.name);
    if (!mesh.isMesh || !solid || !/\b(solid|window|grate|playerclip)\b/.test(mesh.userData.contents_names ?? mesh.parent.userData.contents_names)) return;
    const { position } = mesh.geometry.attributes, at = new Vector3(), corners = new Float32Array(3 * position.count);
    for (let i = 0; i < position.count; i++) at.fromBufferAttribute(position, i).applyMatrix4(mesh.matrixWorld).toArray(corners, 3 * i);
    found.push({ key: mesh.uuid, Collider: solid[1] ? ConvexHullCollider : TrimeshCollider, args: solid[1] ? [corners] : [corners, mesh.geometry.index.array] });
  });
  return found;
}
