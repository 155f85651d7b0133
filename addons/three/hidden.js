const SOLID = /-(conv)?colonly$/;

/** Hides what a game never draws (nodes with bsp2gltf_hidden), and collision solids. hidden = false shows both. */
export function bsp2gltfHidden(gltf, hidden = true) {
  for (const scene of gltf.scenes) {
    scene.traverse((object) => {
      if (object.userData.bsp2gltf_hidden || SOLID.test(object.userData.name ?? object.name)) object.visible = !hidden;
    });
  }
}
