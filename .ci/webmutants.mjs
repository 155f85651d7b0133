// usage: node .ci/webmutants.mjs WASM_EXEC CONVERTER.wasm FOLDER
// Gives mutants to the page's converter, through the page's own worker (web/worker.js): each folder in FOLDER has the files that a user
// drops into the page (mutants.py --write). It lists the maps in them and converts up to two. It fails if the converter stops, prints
// more than a line or a control character, makes an incomplete .glb, or takes more than 60 s or 1 GiB. Node has no FileReaderSync; a
// class of ours replaces it.
import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import { fileURLToPath } from 'node:url';

const [runtime, converter, folder] = process.argv.slice(2);
const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
let heard = [], memory = null;
class FileReaderSync {
  readAsArrayBuffer({ bytes }) { return Uint8Array.from(bytes).buffer; }
}
const instantiate = async (module, imports) => {
  const instance = await WebAssembly.instantiate(module, imports);
  memory = instance.exports.mem;
  return instance;
};
Object.assign(globalThis, { FileReaderSync, postMessage: (message) => heard.push(message) });
vm.runInThisContext(fs.readFileSync(runtime, 'utf8'));
const own = new Function('WebAssembly', fs.readFileSync(path.join(root, 'web', 'worker.js'), 'utf8'));
own({ instantiate });
const module = await WebAssembly.compile(fs.readFileSync(converter));

// ask sends a request to the worker as the page does, and returns the worker's messages and the resources used.
async function ask(args, files) {
  heard = [];
  const start = performance.now(), process_ = globalThis.process;
  await globalThis.onmessage({ data: { module, args, files } });
  globalThis.process = process_;
  const all = Object.assign({}, ...heard);
  if (all.parts) all.bytes = Buffer.from(await new Blob(all.parts).arrayBuffer());
  return { ...all, seconds: (performance.now() - start) / 1000, mib: memory.buffer.byteLength / (1 << 20) };
}

const control = /[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/;
const line = (text) => typeof text === 'string' && text.length < 1000 && !control.test(text) && !/stopped|internal error/.test(text);
let failed = 0, converted = 0, refused = 0, most = 0, peak = 0;
const tops = fs.readdirSync(folder).sort((a, b) => a - b);
for (const top of tops) {
  const files = fs.readdirSync(path.join(folder, top), { recursive: true, withFileTypes: true }).filter((e) => e.isFile()).map((e) => {
    const name = path.join(e.parentPath, e.name), data = fs.readFileSync(name);
    return [`/in/1/${path.relative(path.join(folder, top), name)}`, { size: data.length, lastModified: 0, slice: (from, to) => ({ bytes: data.subarray(from, to) }) }];
  });
  const wrong = [];
  const { maps, failed: unlisted } = await ask(['maps', ...files.map(([name]) => name)], files);
  if (unlisted || !maps || !maps.problems.every(line)) wrong.push(unlisted ?? JSON.stringify(maps));
  for (const map of maps?.maps.slice(0, 2) ?? []) {
    const got = await ask(['glb', '', map, '/in/1'], files);
    most = Math.max(most, got.seconds);
    peak = Math.max(peak, got.mib);
    if (got.failed !== undefined) {
      refused++;
      if (!line(got.failed)) wrong.push(got.failed);
    } else {
      converted++;
      if (got.bytes.subarray(0, 4).toString() !== 'glTF' || got.bytes.readUInt32LE(8) !== got.bytes.length) wrong.push('no complete .glb');
    }
    if (got.seconds > 60) wrong.push(`${got.seconds.toFixed(1)} s`);
    if (got.mib > 1024) wrong.push(`${got.mib} MiB`);
  }
  if (wrong.length) console.log(`FAIL ${top}: ${wrong.map((w) => JSON.stringify(w).slice(0, 300)).join(', ')}`);
  failed += wrong.length > 0;
}
console.log(`${tops.length} mutants dropped into the page: ${converted} maps converted, ${refused} refused, ${failed} failed; at most ${most.toFixed(1)} s and ${peak.toFixed(0)} MiB`);
process.exit(failed || !converted ? 1 : 0);
