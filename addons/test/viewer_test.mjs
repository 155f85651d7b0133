// usage: node viewer_test.mjs DIR
// Google's <model-viewer>, which knows none of our extras, shows DIR/movements.glb: with autoplay it plays the first animation, which
// is what moves by itself.
import path from 'node:path';
import { openPage } from './client.mjs';

const page = await openPage(640, 360), file = `/file${path.resolve(process.argv[2], 'movements.glb')}`;
const moving = await page.run('modelviewer.html', { file }), pictures = [];
const began = await page.evaluate(() => document.querySelector('model-viewer').currentTime);
const later = await page.evaluate((from) => new Promise((done) => {
  const viewer = document.querySelector('model-viewer'), look = () => (viewer.currentTime !== from ? done(viewer.currentTime) : requestAnimationFrame(look));
  look();
}), began);
for (const at of ['0', '1']) {
  await page.run('modelviewer.html', { file, at });
  await page.screenshot(path.join(process.argv[2], `viewer-${at}.png`));
  pictures.push((await page.evaluate(() => document.querySelector('model-viewer').toDataURL('image/png'))));
}
const logs = page.logs.filter((l) => !/^warning: /.test(l));
await page.close();
const wrong = [];
if (moving.names[0] !== 'map start' || moving.seconds !== 2 || moving.paused || later === began) wrong.push(`${JSON.stringify(moving)}, at ${began} and later at ${later}`);
if (pictures[0] === pictures[1]) wrong.push('the pictures after 0 and 1 seconds are the same');
wrong.push(...logs);
console.log(wrong.length ? `FAIL model-viewer\n  ${wrong.join('\n  ')}` : `ok model-viewer plays ${moving.names[0]} by itself, of ${moving.names.length} animations`);
process.exit(wrong.length ? 1 : 0);
