// usage: node xash.mjs JOB.json
// Writes pictures of a GoldSrc map by Xash3D with the game code of the Half-Life SDK, in headless Chromium. JOB.json: {map: FILE.bsp,
// eyes: [{name, eye, yaw, pitch}], out: PREFIX, files: [[name in the game, FILE]], modes: {lit: [commands], light: [commands]}}. If it
// has "times", in seconds since the map began, each eye has a picture OUT-MODE-NAME-INDEX.png for each time, and moving entities are
// not stopped. $XASH_WAIT is how many seconds the page may take to load. $XASH_HOME has the packages, and a folder "valve" with what
// the engine needs to start (fonts, gfx.wad, a player's model).
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
const WAIT = Number(process.env.XASH_WAIT) || 60; // seconds for the page to load
const FRAME = 0.02; // seconds of game time per step of xash.html

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

// onlyStart returns the map with a single start, at the given eye: there is no other way to place an eye exactly. It removes entities
// that would move or stop the player. CLOCK is an entity that prints on the console that the map began TOLD seconds ago.
const CLOCK = 'bsp2gltf_clock', TOLD = 0.6;
function onlyStart(map, { eye: [x, y, z], yaw, pitch }, held) {
  const [offset, size] = [map.readInt32LE(4), map.readInt32LE(8)];
  const gone = /^(info_player_|trigger_|game_player|env_fade|player_weaponstrip|func_ladder|ambient_)/;
  const kept = (map.toString('latin1', offset, offset + size).match(/\{(?:[^{}"]|"[^"]*")*\}/g) ?? [])
    .filter((e) => !gone.test(/"classname"\s+"([^"]*)"/.exec(e)?.[1] ?? ''))
    .map((e) => e.replace(/"(startdark|gametitle|chaptertitle)"\s+"[^"]*"/g, '')); // of the world: what would cover the screen in the first seconds
  for (const [i, e] of kept.entries()) { // without times, moving entities are stopped
    if (!held) break;
    if (/"classname"\s+"func_conveyor"/.test(e)) kept[i] = e.replace('"func_conveyor"', '"func_wall"');
    else if (/"classname"\s+"func_train"/.test(e) && !/"targetname"/.test(e)) kept[i] = e.replace('{', '{\n"targetname" "held"');
  }
  kept.push(`{\n"classname" "info_player_start"\n"origin" "${x} ${y} ${z - 29}"\n"angles" "${pitch} ${yaw} 0"\n}`);
  kept.push(`{\n"classname" "trigger_auto"\n"target" "${CLOCK}"\n}`); // fires after a tenth of a second
  kept.push(`{\n"classname" "multi_manager"\n"targetname" "${CLOCK}"\n"${CLOCK}_told" "${TOLD - 0.1}"\n}`);
  const entities = Buffer.from(`${kept.join('\n')}\n\0`, 'latin1'), padding = Buffer.alloc((4 - map.length % 4) % 4);
  const out = Buffer.concat([map, padding, entities]);
  out.writeInt32LE(map.length + padding.length, 4);
  out.writeInt32LE(entities.length, 8);
  return out;
}

const browser = await launch();
const page = await browser.newPage({ viewport: { width: 640, height: 480 } });
// Health of monsters, which is usually in a game's skill.cfg: without it, they die at once.
const skill = path.join(temporary, 'skill.cfg');
const living = `agrunt apache barney bullsquid bigmomma gargantua hassassin headcrab hgrunt houndeye islave ichthyosaur leech
  controller nihilanth scientist snark zombie turret miniturret sentry`.split(/\s+/);
fs.writeFileSync(skill, living.flatMap((n) => [1, 2, 3].map((k) => `sk_${n}_health${k} "50"\n`)).join(''));
page.on('pageerror', (e) => console.error(e.message));
try {
  await page.goto(`http://127.0.0.1:${server.address().port}/page/xash.html`);
  await page.waitForFunction(() => window.RESULT, null, { timeout: 1000 * WAIT, polling: 200 });
  const extras = path.join(home, 'node_modules/xash3d-fwgs/dist/valve/extras.pk3');
  const files = [...walk(game), ...(fs.existsSync(extras) ? [['extras.pk3', extras]] : []), ...job.files, ['skill.cfg', skill]];
  const map = fs.readFileSync(job.map);
  job.eyes.forEach((e, i) => {
    const file = path.join(temporary, `eye${i}.bsp`);
    fs.writeFileSync(file, onlyStart(map, e, !job.times));
    files.push([`maps/eye${i}.bsp`, file]);
  });
  const command = (text) => page.evaluate((t) => window.command(t), text);
  await page.evaluate(([f, o]) => window.boot(f, o), [files, ['-windowed', '-width', '640', '-height', '480', '-game', 'valve', '-nosound',
    '-noenginejoy', '-dev', '2', '+_vgui_menus', '0', '+sv_gravity', '0', '+gamma', '2.5', '+brightness', '0', ...(job.options ?? [])]]);
  const step = (count = 1) => page.evaluate((n) => window.step(n), count);
  await step(500); // in the first seconds, the engine's version is shown in a corner
  for (const [i, e] of job.eyes.entries()) {
    const before = await page.evaluate(() => window.log.length);
    for (const c of ['sv_maxvelocity 0.01', 'sv_gravity 0', 'sv_cheats 1', 'deathmatch 0', 'maxplayers 1', 'cl_nointerp 1',
      'sv_maxupdaterate 100', 'cl_updaterate 100', `map eye${i}`]) await command(c);
    const until = async (text, frames) => {
      if (!await page.evaluate((a) => window.until(...a), [text, before, frames])) throw new Error(`${e.name}: the engine did not say "${text}"`);
    };
    await until(`Firing: (${CLOCK})`, 1500);
    // Moving entities must not push the player, and monsters must not see it.
    for (const c of [...(job.times ? ['noclip', 'notarget'] : []), 'hud_draw 0', 'crosshair 0', 'con_speed 9999', 'r_drawviewmodel 0',
      'con_notifytime 0', 'scr_centertime 0', 'cl_showfps 0', 'net_graph 0', 'gl_clear 1', 'default_fov 90', 'gamma 2.5', 'brightness 0', ...(job.commands ?? [])]) await command(c);
    await until(`Firing: (${CLOCK}_told)`, 500);
    let clock = TOLD;
    for (const [k, t] of (job.times ?? [3]).entries()) {
      for (const [mode, commands] of Object.entries(job.modes)) {
        for (const c of commands) await command(c);
        const frames = Math.max(commands.length ? 2 : 0, Math.round((t - clock) / FRAME)); // a command takes effect in the frame after the next
        await step(frames);
        clock += frames * FRAME;
        const picture = Buffer.from((await page.evaluate(() => window.picture())).split(',')[1], 'base64');
        fs.writeFileSync(`${job.out}-${mode}-${e.name}${job.times ? `-${k}` : ''}.png`, picture);
      }
    }
  }
} finally {
  console.log((await page.evaluate(() => window.log.join('\n')).catch(() => '')));
  fs.rmSync(temporary, { recursive: true });
  await browser.close();
  server.close();
}
