// usage: node motion.mjs FILE.glb OUTPREFIX WxH T0,T1,… QUERY     pictures OUTPREFIX-0.png, … by model-viewer, after so many seconds each
// QUERY is JSON: what else ../../addons/test/modelviewer.html is asked for.
import { openPage } from '../../addons/test/client.mjs';

const [file, out, size, times, query] = process.argv.slice(2);
const page = await openPage(...size.split('x').map(Number));
for (const [i, at] of times.split(',').entries()) {
  await page.run('modelviewer.html', { file: `/file${file}`, at, size, ...JSON.parse(query) });
  await page.screenshot(`${out}-${i}.png`);
}
await page.close();
