// usage: node shot.mjs three|babylon FILE.glb OUT.png [--eye=x,y,z] [--yaw=deg] [--pitch=deg] [--fov=60] [--size=640x360] [--plain]
//        node shot.mjs three|babylon FILE.glb OUTPREFIX --views=VIEWS.json [--mode=lightmap|mask] [--aliased] [--fov=…] [--size=…] [--plain]
// A picture by three.js with ../three or by Babylon.js with ../babylon, from the file's first camera or from --eye, in
// metres; yaw 0 looks along -Z, 90 along -X. --plain: without our plugin. Prints what the file holds as JSON. Run
// install.sh once before. With --views a picture OUTPREFIX-NAME.png of each: [{"name", "eye": [x, y, z], "yaw", "pitch", "time"}] in
// map units and degrees as the game has them, and seconds, to which what moves is moved; "play" names a movement that began "after" seconds
// before; "clip" is an animation that is no movement, which began "after" seconds before; with "only", a node's name, the picture is white where
// that node is seen, and black elsewhere (three.js); "model", {"file": MODEL.glb, "at", "yaw", "frame"}, is put there, and its name for
// "only" is model (three.js, Quake III). --unit=metres: a map unit, for Babylon.js.
// --mode=lightmap shows the light alone, --mode=mask where there is light. --background=rrggbb is where nothing is.
// --time=seconds: what moves, at a time; --play=NAME: a second after that movement was started then. --options=JSON: of the plugin.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openPage } from './client.mjs';

const { values, positionals } = parseArgs({ allowPositionals: true, options: {
  eye: { type: 'string' }, yaw: { type: 'string', default: '0' }, pitch: { type: 'string', default: '0' },
  fov: { type: 'string', default: '60' }, size: { type: 'string', default: '640x360' }, plain: { type: 'boolean' },
  views: { type: 'string' }, unit: { type: 'string' }, mode: { type: 'string' }, background: { type: 'string' }, time: { type: 'string' }, play: { type: 'string' }, aliased: { type: 'boolean' }, options: { type: 'string' } } });
const [client, file, out] = positionals;
if (!out || !['three', 'babylon'].includes(client)) {
  console.error('usage: node shot.mjs three|babylon FILE.glb OUT.png [--eye=x,y,z] [--yaw=deg] [--pitch=deg] [--fov=60] [--size=640x360] [--plain]');
  process.exit(2);
}
const { plain, ...view } = values;
const views = values.views ? JSON.parse(fs.readFileSync(values.views)) : [];
const page = await openPage(...values.size.split('x').map(Number));
try {
  const query = { file: `/file${path.resolve(file)}`, ...view, ...(plain ? {} : { plugin: '1' }) };
  const found = await page.run(`${client}.html`, query);
  if (!values.views) await page.screenshot(out);
  for (const v of views) fs.writeFileSync(`${out}-${v.name}.png`, await page.shoot({ ...v, fov: Number(values.fov) }));
  console.log(JSON.stringify(found));
  for (const line of page.logs) console.error(line);
} catch (error) {
  console.error(`${file}: ${error.message}`);
  process.exitCode = 1;
}
await page.close();
