// usage: node agree.mjs three|babylon|page FILE OUTPREFIX VIEWS.json UNIT WIDTHxHEIGHT FOV
// Writes pictures OUTPREFIX-NAME-TIME.png of a .glb by three.js with ../../three or by Babylon.js with ../../babylon, or of a page that
// bsp2gltf wrote, without smooth filters and edges. VIEWS is {"eyes": [{"name", "eye": [x, y, z], "yaw", "pitch"}], "times":
// [seconds]}, in map units and degrees as the game has them; UNIT is metres per map unit.
import fs from 'node:fs';
import path from 'node:path';
import { launch, openPage } from '../client.mjs';

const [client, file, prefix, list, unit, size, fov] = process.argv.slice(2), { eyes, times } = JSON.parse(fs.readFileSync(list)), [width, height] = size.split('x').map(Number);

// openViewer opens a page of bsp2gltf, and gives it a shoot(view) like window.shoot of three.html.
async function openViewer() {
  const browser = await launch(), page = await browser.newPage({ viewport: { width, height } });
  await page.addInitScript(() => {
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function (kind, options) { return getContext.call(this, kind, { ...options, antialias: false }); };
  });
  await page.goto(`file://${path.resolve(file)}`);
  await page.waitForFunction(() => document.body.dataset.state, null, { timeout: 120000 });
  await page.evaluate(() => {
    globalThis.bsp2gltf.state.gltf.scene.traverse(({ material: m }) => {
      for (const texture of [m?.map, m?.emissiveMap]) if (texture && texture.anisotropy > 1) Object.assign(texture, { anisotropy: 1, needsUpdate: true });
    });
  });
  return {
    close: () => browser.close(),
    async shoot({ eye: [x, y, z], yaw, pitch, time }) {
      const url = await page.evaluate(async ({ eye, turn, down, angle, w, h, t }) => {
        const { state, still } = globalThis.bsp2gltf, { view, camera, canvas } = state;
        [canvas.width, canvas.height] = [w, h];
        camera.fov = angle;
        camera.go(eye, turn, down);
        await state.styles.update(view.renderer, t);
        still(t);
        return canvas.toDataURL('image/png');
      }, { eye: [x * unit, z * unit, -y * unit], turn: ((yaw - 90) * Math.PI) / 180, down: (-pitch * Math.PI) / 180, angle: Number(fov), w: width, h: height, t: time });
      return Buffer.from(url.split(',')[1], 'base64');
    },
  };
}

async function openModel() {
  const page = await openPage(width, height);
  await page.run(`${client}.html`, { file: `/file${path.resolve(file)}`, plugin: 1, views: 1, unit, size, aliased: 1 });
  return page;
}

const viewer = await (client === 'page' ? openViewer() : openModel());
try {
  for (const time of times) for (const v of eyes) fs.writeFileSync(`${prefix}-${v.name}-${time}.png`, await viewer.shoot({ pitch: 0, ...v, fov: Number(fov), time }));
} finally {
  await viewer.close();
}
