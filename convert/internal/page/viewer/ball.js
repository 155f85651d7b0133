// Balls that are put into a map, lit as the game lights what moves: by the light grid of Quake III's maps or the probes of Source's.
import { BufferAttribute, Color, Mesh, MeshBasicMaterial, SphereGeometry, Vector3 } from 'three';

const ROUND = 24, GREY = 0.5; // the ball's squares from pole to pole, and its linear colour

export function makeBall(ambient, middle, radius) {
  const geometry = new SphereGeometry(radius, 2 * ROUND, ROUND), light = ambient.light(middle), { normal } = geometry.attributes, colors = new Float32Array(3 * normal.count), n = new Vector3();
  for (let i = 0; i < normal.count; i++) light.on(n.fromBufferAttribute(normal, i)).toArray(colors, 3 * i);
  geometry.setAttribute('color', new BufferAttribute(colors, 3));
  const ball = new Mesh(geometry, new MeshBasicMaterial({ name: 'ball', vertexColors: true, color: new Color(GREY, GREY, GREY) }));
  ball.position.copy(middle);
  ball.name = 'ball';
  return ball;
}
