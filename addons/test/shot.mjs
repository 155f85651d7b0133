// usage: node shot.mjs three|babylon FILE.glb OUT.png [--eye=x,y,z] [--yaw=deg] [--pitch=deg] [--fov=60] [--size=640x360] [--plain]
//        node shot.mjs three|babylon FILE.glb OUTPREFIX --views=VIEWS.json [--mode=lightmap|mask] [--aliased] [--fov=…] [--size=…] [--plain]
// Writes a picture by three.js with ../three or by Babylon.js with ../babylon, and prints the file's contents as JSON. Run install.sh
// once before. The camera is the file's first, or at --eye in metres; yaw 0 looks along -Z, 90 along -X. --plain omits our plugin.
// With --views it writes a picture OUTPREFIX-NAME.png for each view: [{"name", "eye": [x, y, z], "yaw", "pitch", "time"}], in map
// units, degrees as the game has them, and seconds at which animations are shown. Each may have:
//  "play": a movement that began "after" seconds before
//  "clip": an animation that is not a movement, which began "after" seconds before
//  "only": a node's name; the picture is white where the node is visible, otherwise black (three.js)
//  "model": {"file": MODEL.glb, "at", "yaw", "frame"}, which is placed there; for "only", its name is model (three.js, Quake III)
// --unit=metres: a map unit, for Babylon.js. --mode=lightmap shows the light alone, --mode=mask where there is light.
// --background=rrggbb is the colour of the background. --time=seconds: animations at a time; --play=NAME: a second after that movement
// was started then. --options=JSON: the plugin's.
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
