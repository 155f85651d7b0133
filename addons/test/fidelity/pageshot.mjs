// usage: node pageshot.mjs PAGE.html OUT.png X,Y,Z YAW FOV WIDTHxHEIGHT Takes a picture of a page that bsp2gltf wrote, at rest, from
// an eye in metres; yaw 0 looks along -Z, 90 along -X. It is drawn with plain filters and edges, as the other readers' pictures are.
import fs from 'node:fs';
import path from 'node:path';
import { launch } from '../client.mjs';

const [file, out, place, yaw, fov, size] = process.argv.slice(2);
const [width, height] = size.split('x').map(Number), browser = await launch();
try {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.addInitScript(() => {
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function (kind, options) { return getContext.call(this, kind, { ...options, antialias: false }); };
  });
  await page.goto(`file://${path.resolve(file)}`);
  await page.waitForFunction(() => document.body.dataset.state, null, { timeout: 120000 });
  const url = await page.evaluate(async ([eye, turn, angle, w, h]) => {
    const { state } = globalThis.bsp2gltf, { renderer, camera, canvas, gl, textures: { made, anisotropy } } = state;
    for (const texture of anisotropy ? made.values() : []) {
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.texParameterf(gl.TEXTURE_2D, anisotropy.TEXTURE_MAX_ANISOTROPY_EXT, 1);
    }
    [canvas.width, canvas.height] = [w, h];
    camera.fov = angle;
    camera.go(eye, turn * Math.PI / 180, 0);
    await state.styles.update(null);
    renderer.draw(camera, w, h, null, { points: [], lines: [] });
    return canvas.toDataURL('image/png');
  }, [place.split(',').map(Number), Number(yaw), Number(fov), width, height]);
  fs.writeFileSync(out, Buffer.from(url.split(',')[1], 'base64'));
} finally {
  await browser.close();
}
