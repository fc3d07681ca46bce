// Runs a test file if there is a browser that can be driven; else says why not and ends with 77, which means skipped.

import { spawnSync } from 'node:child_process';

let obstacle = process.env.CHROMIUM ? null : 'there is no Chromium on this machine';
if (!obstacle) {
  const { launch, close } = await import('./browser.mjs');
  try {
    await launch();
    await close();
  } catch (e) {
    obstacle = `${process.env.CHROMIUM} cannot be driven: ${String(e.message).split('\n')[0]}`;
  }
}
if (obstacle) {
  console.log(`skipped: ${obstacle}`);
  process.exit(77);
}
process.exit(spawnSync(process.execPath, ['--test', process.argv[2]], { stdio: 'inherit' }).status ?? 1);
