// The picture: draws the loaded file and overlays, and finds what a ray hits.
import { Box3, BufferAttribute, BufferGeometry, Color, DirectionalLight, HemisphereLight, LineSegments, MeshBasicMaterial, MeshLambertMaterial, PerspectiveCamera, Points, Raycaster, Scene, ShaderMaterial, Vector3, WebGLRenderer } from 'three';
import { boxOf, posedBox } from './map.js';
import { length, subtract } from './math.js';

// READABLE: the mean brightness, of 255, to which a dark first picture is raised; MAX_BRIGHTER: the greatest factor on its light.
const READABLE = 68, MAX_BRIGHTER = 8;

const NOT_HIT = ['sky', 'fog layers'];

export class View {
  constructor(canvas, context, gltf, map) {
    this.map = map;
    this.parts = gltf.bsp2gltf;
    this.root = gltf.scene;
    this.renderer = new WebGLRenderer({ canvas, context, antialias: true });
    this.renderer.info.autoReset = false;
    this.renderer.autoClear = false;
    this.renderer.setTransparentSort((a, b) => a.renderOrder - b.renderOrder || this.away(b.object) - this.away(a.object));
    this.far = new Map(); // distances of meshes, for one frame
    this.scene = new Scene().add(gltf.scene);
    this.over = new Scene();
    this.points = new Points(new BufferGeometry(), overlayMaterial(true));
    this.lines = new LineSegments(new BufferGeometry(), overlayMaterial(false));
    for (const o of [this.points, this.lines]) this.over.add(Object.assign(o, { frustumCulled: false }));
    this.camera = new PerspectiveCamera();
    this.eye = new Vector3();
    this.settings = { strength: 1, exposure: this.parts.exposure.factor, textures: true, light: true, wireframe: false, fog: true };
    this.wire = new MeshBasicMaterial({ wireframe: true, color: new Color(0.33, 0.42, 0.5) });
    this.shown = new Set(['sky', '3D skybox']);
    this.calls = 0;
    if (map.model) this.light();
    prepare(this.root, this.parts.motion);
    this.fit();
    this.compile();
  }

  // fit computes the bounding box of the map itself, low to high, and the camera's near and far.
  fit() {
    const own = (kinds) => (this.map.model ? posedBox : boxOf)([this.root], (mesh) => kinds.includes(this.map.kindOf(mesh)));
    Object.assign(this, own(['']) ?? own(['', '3D skybox', 'hidden brushes', 'sky']) ?? { low: [-1, -1, -1], high: [1, 1, 1] });
    Object.assign(this.camera, { near: 2 * this.map.unit, far: Math.max(4 * length(subtract(this.high, this.low)), 100) });
  }

  // light lights a model, which has no light of its own: sky, ground, a lamp from its upper left, and a grey background.
  light() {
    this.sky = new HemisphereLight(0xffffff, 0x707880, 1.7);
    this.lamp = new DirectionalLight(0xffffff, 1.9);
    this.lamp.position.set(0.8, 1, -0.9);
    this.scene.add(this.sky, this.lamp);
    this.plain = new MeshLambertMaterial({ color: 0xbbbbbb });
    this.renderer.setClearColor(0x41474f);
  }

  // lightAs lights a model as the user chooses: lit, without textures, or unshaded.
  lightAs({ textures, light, strength }) {
    this.sky.intensity = (light ? 1.7 : Math.PI) * strength;
    this.sky.groundColor.set(light ? 0x707880 : 0xffffff);
    this.lamp.intensity = light ? 1.9 * strength : 0;
    return textures ? null : this.plain;
  }

  // compile compiles all shaders in parallel before the first one is used. Asking for errors would wait for each shader, so verify does
  // it after the first frame.
  compile() {
    const { renderer, scene, camera } = this, drawn = new Map();
    renderer.debug.checkShaderErrors = false;
    scene.traverseVisible((o) => { if (o.isMesh && o.layers.test(camera.layers)) drawn.set(`${o.material.id} ${!!o.isInstancedMesh} ${!!o.isSkinnedMesh} ${Object.keys(o.geometry.attributes)}`, o); });
    renderer.compile(Object.assign(new Scene(), { traverse: (f) => [...drawn.values()].forEach(f) }), camera, scene);
  }

  // verify reports broken shaders on the console, and lets three.js do so from now on.
  verify() {
    const { renderer } = this, gl = renderer.getContext();
    renderer.debug.checkShaderErrors = true;
    for (const { program, name } of renderer.info.programs) if (!gl.getProgramParameter(program, gl.LINK_STATUS)) console.error(`The shader of ${name} is broken: ${gl.getProgramInfoLog(program)}`);
  }

  // show shows or hides the parts of a kind.
  show(kind, on) {
    if (on) this.shown.add(kind);
    else this.shown.delete(kind);
    for (const object of this.map.kinds.get(kind) ?? []) object.visible = on;
    this.parts.merged.update();
  }

  // put adds an object to the map.
  put(object) {
    this.root.add(object);
    this.parts.exposure.add(object.material);
  }

  // look places the camera: yaw and pitch in radians, fov the field of view of the shorter side in degrees.
  look({ eye, yaw, pitch, fov }, width, height) {
    const { camera } = this;
    this.eye.set(...eye);
    camera.position.copy(this.eye);
    camera.rotation.set(pitch, yaw, 0, 'YXZ');
    camera.aspect = width / height;
    camera.fov = 2 * Math.atan(Math.tan(fov * Math.PI / 360) * (width < height ? height / width : 1)) * 180 / Math.PI;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }

  // draw draws a frame with points and lines over it: x, y, z, r, g, b per vertex.
  draw(eye, width, height, { points = [], lines = [] } = {}) {
    const { renderer, scene, over, camera, settings, parts } = this;
    const size = renderer.domElement;
    if (size.width !== width || size.height !== height || this.width !== width || this.height !== height) renderer.setSize(width, height, false);
    Object.assign(this, { width, height });
    this.look(eye, width, height);
    parts.show.strength = settings.strength;
    parts.show.only = settings.textures && settings.light ? 'lit' : settings.light ? 'light' : 'textures';
    parts.exposure.factor = settings.exposure;
    parts.fog.on = settings.fog && !(eye.mode === 'orbit' && this.outside(eye.eye));
    this.far.clear();
    renderer.info.reset();
    renderer.clear();
    const sky = settings.wireframe && this.shown.has('sky') ? this.map.kinds.get('sky') ?? [] : [];
    const plain = this.map.model ? this.lightAs(settings) : null;
    scene.overrideMaterial = settings.wireframe ? this.wire : plain;
    for (const object of sky) object.visible = false;
    renderer.render(scene, camera);
    for (const object of sky) object.visible = true;
    this.points.material.uniforms.size.value = 0.35 * height;
    fill(this.points, points);
    fill(this.lines, lines);
    if (points.length || lines.length) renderer.render(over, camera);
    this.calls = renderer.info.render.calls;
  }

  // readable returns the factor on the light with which the frame just drawn gets the mean brightness READABLE, at most MAX_BRIGHTER,
  // as thumbnails do.
  readable() {
    const gl = this.renderer.getContext(), { width, height } = this, pixels = new Uint8Array(4 * width * height), counts = new Float64Array(256);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    const linear = Float64Array.from(counts, (_, i) => (i < 11 ? i / 255 / 12.92 : ((i / 255 + 0.055) / 1.055) ** 2.4)), shown = (v) => 255 * (v < 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055);
    for (let i = 0; i < pixels.length; i += 4) counts[Math.round(shown(0.2126 * linear[pixels[i]] + 0.7152 * linear[pixels[i + 1]] + 0.0722 * linear[pixels[i + 2]]))]++;
    const mean = (factor) => counts.reduce((sum, n, i) => sum + n * shown(Math.min(factor * linear[i], 1)), 0) / (width * height);
    let tenths = 10;
    while (tenths < 10 * MAX_BRIGHTER && mean(tenths / 10) < READABLE) tenths++;
    return tenths / 10;
  }

  // outside reports whether a point is outside the map, from where fog would cover all of it.
  outside(at) { return at.some((x, k) => x < this.low[k] || x > this.high[k]); }

  // away returns the distance of a mesh from the camera.
  away(mesh) {
    if (!this.far.has(mesh)) this.far.set(mesh, distance(mesh, this.eye));
    return this.far.get(mesh);
  }

  // rayAt returns the direction from the camera through a point of the picture: -1 to 1, up and to the right.
  rayAt(u, v) { return new Vector3(u, v, 0.5).unproject(this.camera).sub(this.camera.position).normalize().toArray(); }

  // pick returns { distance, at, object, material, entity, name } of the first hit of a ray, or null.
  pick(eye, ray) {
    const caster = new Raycaster(new Vector3(...eye), new Vector3(...ray)), meshes = [];
    caster.layers.enable(this.parts.merged.layer);
    this.scene.updateMatrixWorld();
    this.scene.traverseVisible((o) => { if (o.isMesh && !NOT_HIT.includes(this.map.kindOf(o))) meshes.push(o); });
    const [first] = caster.intersectObjects(meshes, false);
    if (!first) return null;
    const { distance, point, object } = first;
    return { distance, at: point.toArray(), object, material: object.material, entity: this.map.entityOf(object), name: this.map.nameOf(object) };
  }
}

// prepare freezes the matrices of static objects, and makes transparent materials draw in one pass.
function prepare(root, motion) {
  const moved = new Set(motion.movements.map((a) => a.object));
  root.traverse((object) => {
    if (object.isMesh && object.material.transparent) object.material.forceSinglePass = true;
    if (object.isSkinnedMesh) object.frustumCulled = false; // its box holds for one pose only
    if (motion.moves || moved.size || motion.sequences.length) return;
    object.updateMatrix();
    object.matrixAutoUpdate = false;
  });
}

// distance returns how far a mesh's bounding box is from a point.
const box = new Box3(), near = new Vector3();
function distance({ geometry, matrixWorld }, from) {
  if (!geometry.boundingBox) geometry.computeBoundingBox();
  return box.copy(geometry.boundingBox).applyMatrix4(matrixWorld).clampPoint(from, near).distanceTo(from);
}

// overlayMaterial draws plain colours: points as discs with a border, lines over everything.
const overlayMaterial = (round) => new ShaderMaterial({
  depthTest: round,
  uniforms: { size: { value: 1 } },
  vertexShader: `attribute vec3 tint; varying vec3 vTint; uniform float size;
void main() { vTint = tint; gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0); gl_PointSize = clamp(size / gl_Position.w, 5.0, 22.0); }`,
  fragmentShader: round ? `varying vec3 vTint;
void main() { float r = length(gl_PointCoord - 0.5); if (r > 0.5) discard; gl_FragColor = vec4(r > 0.36 ? vec3(0.0) : vTint, 1.0); }`
    : 'varying vec3 vTint;\nvoid main() { gl_FragColor = vec4(vTint, 1.0); }',
});

function fill(object, list) {
  object.visible = list.length > 0;
  const key = list.join();
  if (!list.length || object.userData.key === key) return;
  object.userData.key = key;
  object.geometry.dispose();
  object.geometry = new BufferGeometry();
  const part = (from) => new BufferAttribute(Float32Array.from({ length: list.length / 2 }, (_, i) => list[6 * Math.floor(i / 3) + from + i % 3]), 3);
  object.geometry.setAttribute('position', part(0)).setAttribute('tint', part(3));
}
