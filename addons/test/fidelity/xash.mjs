// usage: node xash.mjs JOB.json
// Pictures of a GoldSrc map by Xash3D with the game code of the Half-Life SDK, in headless Chromium. JOB.json: {map: FILE.bsp, eyes:
// [{name, eye, yaw, pitch}], out: PREFIX, files: [[name in the game, FILE]], modes: {lit: [commands], light: [commands]}}.
// Packages, and a folder "valve" with what an engine needs to start (fonts, gfx.wad, a player's model), are in $XASH_HOME.
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch } from '../client.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const home = process.env.XASH_HOME || path.join(os.homedir(), '.cache/bsp2gltf-xash');
const game = process.env.XASH_GAME || path.join(home, 'valve');
const job = JSON.parse(fs.readFileSync(process.argv[2]));
const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'xash-'));
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

const types = { '.js': 'text/javascript', '.html': 'text/html', '.wasm': 'application/wasm' };
const server = http.createServer((request, response) => {
  const [, where, rest] = /^\/(\w+)\/(.*)/.exec(decodeURIComponent(new URL(request.url, 'http://x').pathname)) ?? [];
  const roots = { npm: path.join(home, 'node_modules'), page: here, file: '/' };
  let file = path.join(roots[where] ?? '/nowhere', rest ?? '');
  if (where === 'npm' && !path.extname(file)) { // packages import each other as folders
    file = fs.existsSync(`${file}.js`) ? `${file}.js` : path.join(file, 'index.js');
    response.writeHead(302, { location: `/npm/${path.relative(roots.npm, file)}` });
    return response.end();
  }
  fs.readFile(file, (error, data) => {
    response.writeHead(error ? 404 : 200, { 'content-type': types[path.extname(file)] ?? 'application/octet-stream' });
    response.end(data);
  });
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));

function walk(folder, name = '') {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((e) => e.isDirectory()
    ? walk(path.join(folder, e.name), `${name}${e.name}/`) : [[`${name}${e.name}`, path.join(folder, e.name)]]);
}

// onlyStart is the map with one start, whose eye is the given one: no other way puts an eye exactly. Entities that would move or
// stop the player are removed.
function onlyStart(map, { eye: [x, y, z], yaw, pitch }) {
  const [offset, size] = [map.readInt32LE(4), map.readInt32LE(8)];
  const gone = /^(info_player_|trigger_|game_player|env_fade|player_weaponstrip|func_ladder|ambient_)/;
  const kept = (map.toString('latin1', offset, offset + size).match(/\{[^{}]*\}/g) ?? [])
    .filter((e) => !gone.test(/"classname"\s+"([^"]*)"/.exec(e)?.[1] ?? ''));
  for (const [i, e] of kept.entries()) { // what moves is held: a picture has one moment
    if (/"classname"\s+"func_conveyor"/.test(e)) kept[i] = e.replace('"func_conveyor"', '"func_wall"');
    else if (/"classname"\s+"func_train"/.test(e) && !/"targetname"/.test(e)) kept[i] = e.replace('{', '{\n"targetname" "held"');
  }
  kept.push(`{\n"classname" "info_player_start"\n"origin" "${x} ${y} ${z - 29}"\n"angles" "${pitch} ${yaw} 0"\n}`);
  const entities = Buffer.from(`${kept.join('\n')}\n\0`, 'latin1'), padding = Buffer.alloc((4 - map.length % 4) % 4);
  const out = Buffer.concat([map, padding, entities]);
  out.writeInt32LE(map.length + padding.length, 4);
  out.writeInt32LE(entities.length, 8);
  return out;
}

const browser = await launch();
const page = await browser.newPage({ viewport: { width: 640, height: 480 } });
page.on('pageerror', (e) => console.error(e.message));
try {
  await page.goto(`http://127.0.0.1:${server.address().port}/page/xash.html`);
  await page.waitForFunction(() => window.RESULT, null, { timeout: 30000 });
  const extras = path.join(home, 'node_modules/xash3d-fwgs/dist/valve/extras.pk3');
  const files = [...walk(game), ...(fs.existsSync(extras) ? [['extras.pk3', extras]] : []), ...job.files];
  const map = fs.readFileSync(job.map);
  job.eyes.forEach((e, i) => {
    const file = path.join(temporary, `eye${i}.bsp`);
    fs.writeFileSync(file, onlyStart(map, e));
    files.push([`maps/eye${i}.bsp`, file]);
  });
  const command = (text) => page.evaluate((t) => window.command(t), text);
  await page.evaluate(([f, o]) => window.boot(f, o), [files, ['-windowed', '-width', '640', '-height', '480', '-game', 'valve', '-nosound',
    '-noenginejoy', '-dev', '1', '+_vgui_menus', '0', '+sv_gravity', '0', '+gamma', '2.5', '+brightness', '0', ...(job.options ?? [])]]);
  await sleep(4000);
  for (const [i, e] of job.eyes.entries()) {
    const before = await page.evaluate(() => window.log.length);
    for (const c of ['sv_maxvelocity 0.01', 'sv_gravity 0', 'sv_cheats 1', 'deathmatch 0', 'maxplayers 1', `map eye${i}`]) await command(c);
    const joined = () => page.evaluate((n) => window.log.slice(n).some((l) => /client connected at|Signon network traffic/i.test(l)), before);
    for (let t = 0; t < 30 && !await joined(); t++) await sleep(500);
    await sleep(3000);
    for (const c of ['hud_draw 0', 'crosshair 0', 'con_speed 9999', 'r_drawviewmodel 0', 'con_notifytime 0', 'scr_centertime 0', 'cl_showfps 0', 'net_graph 0',
      'default_fov 90', 'gamma 2.5', 'brightness 0', ...(job.commands ?? [])]) await command(c);
    for (const [mode, commands] of Object.entries(job.modes)) {
      for (const c of commands) await command(c);
      await sleep(800);
      fs.writeFileSync(`${job.out}-${mode}-${e.name}.png`, Buffer.from((await page.evaluate(() => window.picture())).split(',')[1], 'base64'));
    }
  }
} finally {
  console.log((await page.evaluate(() => window.log.join('\n')).catch(() => '')));
  fs.rmSync(temporary, { recursive: true });
  await browser.close();
  server.close();
}
