// usage: node addons/pack.mjs three|babylon [FOLDER]
// Packs an add-on as npm would publish it, into FOLDER (the current one by default): bsp2gltf-three-V.tgz, for npm install. Nothing is
// written to the repository. addons/shared holds what several add-ons share; each package gets a copy.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const addons = path.dirname(fileURLToPath(import.meta.url)), [name, folder = '.'] = process.argv.slice(2);
const from = path.join(addons, name ?? '');
if (!name || !fs.existsSync(path.join(from, 'package.json')) || path.dirname(from) !== addons) {
  console.error('usage: node addons/pack.mjs three|babylon [FOLDER]');
  process.exit(2);
}
const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'bsp2gltf-pack-'));
try {
  fs.cpSync(from, copy, { recursive: true, filter: (file) => path.basename(file) !== 'node_modules' });
  fs.copyFileSync(path.join(addons, '..', 'LICENSE'), path.join(copy, 'LICENSE'));
  fs.cpSync(path.join(addons, 'shared'), path.join(copy, 'shared'), { recursive: true });
  for (const file of fs.readdirSync(copy).filter((n) => n.endsWith('.js'))) {
    const code = fs.readFileSync(path.join(copy, file), 'utf8');
    fs.writeFileSync(path.join(copy, file), code.replaceAll("'../shared/", "'./shared/"));
  }
  const manifest = JSON.parse(fs.readFileSync(path.join(copy, 'package.json'), 'utf8'));
  fs.writeFileSync(path.join(copy, 'package.json'), JSON.stringify({ ...manifest, files: [...manifest.files, 'shared'] }, null, 2));
  fs.mkdirSync(folder, { recursive: true });
  console.log(execFileSync('npm', ['pack', copy, '--pack-destination', path.resolve(folder), '--loglevel=error'], { encoding: 'utf8' }).trim());
} finally {
  fs.rmSync(copy, { recursive: true, force: true });
}
