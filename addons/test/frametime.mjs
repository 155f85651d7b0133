// usage: node frametime.mjs PAGE.html...
// Measures how long a page takes to draw a frame with software GL, as the page draws it (parts merged by material) and with a draw call
// per part. Both are measured alternately. A time is the median of 15 frames of 320 × 200 pixels from the first view, including reading
// the pixels.
import path from 'node:path';
import { launch } from './client.mjs';

const browser = await launch();
for (const file of process.argv.slice(2)) {
  const page = await (await browser.newContext({ viewport: { width: 320, height: 200 }, offline: true, reducedMotion: 'reduce' })).newPage();
  await page.goto(`file://${path.resolve(file)}`);
  await page.waitForFunction(() => document.body.dataset.state === 'ready', null, { timeout: 120000 });
  const found = await page.evaluate(() => {
    const { state: { view, camera, gl }, still } = globalThis.bsp2gltf, { layer } = view.parts.merged, out = {}, pixel = new Uint8Array(4), merged = [], pieces = [];
    view.scene.traverseVisible((o) => { if (o.isMesh) (o.userData.bsp2gltf_merged ? merged : pieces).push(o); });
    still(null);
    const { triangles } = view.renderer.info.render;
    for (const name of ['merged', 'single']) out[name] = { calls: 0, script: [], frame: [] };
    for (let i = 0; i < 36; i++) {
      const now = i % 2 ? 'single' : 'merged';
      for (const mesh of merged) mesh.visible = now === 'merged';
      if (now === 'merged') view.camera.layers.disable(layer);
      else view.camera.layers.enable(layer);
      const begin = performance.now();
      view.draw(camera, 320, 200);
      const drawn = performance.now();
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      out[now].calls = view.calls;
      if (i >= 6) {
        out[now].script.push(drawn - begin);
        out[now].frame.push(performance.now() - begin);
      }
    }
    const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
    const row = ({ calls, script, frame }) => `${calls} calls, ${median(frame).toFixed(0)} ms, ${median(script).toFixed(1)} ms of it in the script`;
    return `${pieces.length} pieces, ${triangles} triangles: merged ${row(out.merged)}; single ${row(out.single)}`;
  });
  console.log(`${path.basename(file)}: ${found}`);
  await page.close();
}
await browser.close();
