// Bundles the unit tests, which are TypeScript as what they test, and runs them.

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const work = process.env.REPORT_WORK;
const { buildSync } = createRequire(join(work, 'package.json'))('esbuild');
const tests = readdirSync(here).filter((name) => name.endsWith('.test.ts')).map((name) => name.slice(0, -'.ts'.length));
const outdir = join(work, 'unit');
buildSync({
  entryPoints: tests.map((name) => join(here, `${name}.ts`)), bundle: true, platform: 'node', format: 'esm',
  nodePaths: [join(work, 'node_modules')], outdir, outExtension: { '.js': '.mjs' }, logLevel: 'warning',
});
process.exit(spawnSync(process.execPath, ['--test', ...tests.map((name) => join(outdir, `${name}.mjs`))], { stdio: 'inherit' }).status ?? 1);
