// Balls that the user puts into a map, lit as the game lights moving objects: by Quake III's light grid or Source's probes.
import { BufferAttribute, Color, Mesh, MeshBasicMaterial, SphereGeometry, Vector3 } from 'three';

const ROUND = 24, GREY = 0.5; // ROUND: squares from pole to pole; GREY: the ball's linear colour

export function makeBall(ambient, middle, radius) {
  const geometry = new SphereGeometry(radius, 2 * ROUND, ROUND), light = ambient.light(middle), { normal } = geometry.attributes, colors = new Float32Array(3 * normal.count), n = new Vector3();
  for (let i = 0; i < normal.count; i++) light.on(n.fromBufferAttribute(normal, i)).toArray(colors, 3 * i);
  geometry.setAttribute('color', new BufferAttribute(colors, 3));
  const ball = new Mesh(geometry, new MeshBasicMaterial({ name: 'ball', vertexColors: true, color: new Color(GREY, GREY, GREY) }));
  ball.position.copy(middle);
  ball.name = 'ball';
  return ball;
}
