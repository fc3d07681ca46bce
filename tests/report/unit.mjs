// Bundles the unit tests, which are TypeScript as what they test, and runs them.

import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const work = process.env.REPORT_WORK;
const { buildSync } = createRequire(join(work, 'package.json'))('esbuild');
const outfile = join(work, 'unit.test.mjs');
buildSync({
  entryPoints: [join(here, 'unit.test.ts')], bundle: true, platform: 'node', format: 'esm',
  nodePaths: [join(work, 'node_modules')], outfile, logLevel: 'warning',
});
process.exit(spawnSync(process.execPath, ['--test', outfile], { stdio: 'inherit' }).status ?? 1);
