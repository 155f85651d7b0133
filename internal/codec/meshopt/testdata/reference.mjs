// usage: node reference.mjs FOLDER < vectors.json   decodes with npm's meshoptimizer, and fails where the bytes differ.
import { readFileSync } from 'node:fs';
const { MeshoptDecoder } = await import(`${process.argv[2]}/meshopt_decoder.mjs`).catch(() => import(`${process.argv[2]}/meshopt_decoder.module.js`));
await MeshoptDecoder.ready;
const vectors = JSON.parse(readFileSync(0));
let bad = 0;
for (const [i, v] of vectors.entries()) {
  const got = new Uint8Array(v.count * v.stride), want = new Uint8Array(Buffer.from(v.want, 'base64'));
  MeshoptDecoder.decodeGltfBuffer(got, v.count, v.stride, new Uint8Array(Buffer.from(v.packed, 'base64')), v.kind, v.filter || 'NONE');
  if (Buffer.compare(got, want)) {
    bad++;
    console.log(`vector ${i}: ${v.kind} ${v.filter} of ${v.count} x ${v.stride} differs`);
  }
}
console.log(`${vectors.length - bad} of ${vectors.length} vectors are right`);
process.exit(bad || !vectors.length ? 1 : 0);
