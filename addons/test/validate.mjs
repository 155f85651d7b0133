// usage: node validate.mjs FILE...   exit 1 if the Khronos validator has any error or warning; one line per file.
import fs from 'node:fs';
import path from 'node:path';
import { require } from './client.mjs';

const { validateBytes } = require('gltf-validator');
const files = process.argv.slice(2);
if (!files.length) {
  console.error('usage: node validate.mjs FILE...');
  process.exit(2);
}
for (const file of files) {
  try {
    const { issues, info } = await validateBytes(new Uint8Array(fs.readFileSync(file)), {
      uri: path.basename(file), maxIssues: 0, writeTimestamp: false,
      externalResourceFunction: async (uri) => new Uint8Array(await fs.promises.readFile(path.join(path.dirname(file), decodeURIComponent(uri)))),
    });
    const bad = issues.numErrors + issues.numWarnings;
    console.log(`${bad ? 'FAIL' : 'ok'} ${file}: ${issues.numErrors} errors, ${issues.numWarnings} warnings, ${issues.numInfos} infos; ${info.drawCallCount} draw calls, ${info.totalTriangleCount} triangles`);
    for (const m of issues.messages.filter((m) => m.severity < 2).slice(0, 20)) {
      console.error(`  ${['error', 'warning'][m.severity]} ${m.code} ${m.pointer ?? ''} ${m.message}`);
    }
    if (bad) process.exitCode = 1;
  } catch (error) {
    console.log(`FAIL ${file}: ${error.message ?? error}`);
    process.exitCode = 1;
  }
}
