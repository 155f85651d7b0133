const SOLID = /-(conv)?colonly$/;

/** Hides what a game never draws (nodes with bsp2gltf_hidden) and solids for physics; hidden = false shows all of it. */
export function bsp2gltfHidden(gltf, hidden = true) {
  for (const scene of gltf.scenes) {
    scene.traverse((object) => {
      if (object.userData.bsp2gltf_hidden || SOLID.test(object.userData.name ?? object.name)) object.visible = !hidden;
    });
  }
}
