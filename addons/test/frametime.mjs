// usage: node frametime.mjs PAGE.html... This measures a frame of a page with software GL, as the page draws it (pieces merged by
// material) and with a draw call for each piece. Both take turns; a time is the median of 15 frames of 320 × 200 pixels from the
// first place, until the pixels are there.
import path from 'node:path';
import { launch } from './client.mjs';

const browser = await launch();
for (const file of process.argv.slice(2)) {
  const page = await (await browser.newContext({ viewport: { width: 320, height: 200 }, offline: true, reducedMotion: 'reduce' })).newPage();
  await page.goto(`file://${path.resolve(file)}`);
  await page.waitForFunction(() => document.body.dataset.state === 'ready', null, { timeout: 120000 });
  const found = await page.evaluate(() => {
    const { state: s } = globalThis.bsp2gltf, { renderer, gl } = s, merged = renderer.solid, out = {}, pixel = new Uint8Array(4);
    const each = (visible) => merged.call(renderer, visible.flatMap((b) => (b.instanced || b.material.alpha === 'BLEND' ? [b]
      : b.pieces.map((p) => new Proxy(b, { get: (t, key) => (key === 'draw' ? (g) => t.drawPiece(g, p) : typeof t[key] === 'function' && key !== 'program' ? t[key].bind(t) : t[key]) })))));
    for (const [name] of [['merged'], ['single']]) out[name] = { calls: 0, script: [], frame: [] };
    for (let i = 0; i < 36; i++) {
      const now = i % 2 ? 'single' : 'merged', begin = performance.now();
      renderer.solid = now === 'merged' ? merged : each;
      renderer.draw(s.camera, 320, 200, null, {});
      const drawn = performance.now();
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      out[now].calls = renderer.calls;
      if (i >= 6) {
        out[now].script.push(drawn - begin);
        out[now].frame.push(performance.now() - begin);
      }
    }
    const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
    const row = ({ calls, script, frame }) => `${calls} calls, ${median(frame).toFixed(0)} ms, ${median(script).toFixed(1)} ms of it in the script`;
    return `${s.scene.pieces.length} pieces, ${renderer.batches.reduce((n, b) => n + b.indices.length / 3 * (b.instanced ? b.pieces.length : 1), 0)} triangles: merged ${row(out.merged)}; single ${row(out.single)}`;
  });
  console.log(`${path.basename(file)}: ${found}`);
  await page.close();
}
await browser.close();
