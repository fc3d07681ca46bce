// Builds the report: one HTML template with its script and style inside, for the program to put data into.
//
//   node build.mjs [--out FOLDER]
//
// writes FOLDER/report.html, with the mark @DATA@ where the data goes, and FOLDER/report_template.cpp, the same as C++.

import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const argument = process.argv.indexOf('--out');
const out = argument > 0 ? process.argv[argument + 1] : join(here, 'dist');
const mark = '@DATA@';

/** The colours of light and the fonts, by name, for pictures that are drawn where there is no page. */
const lightStyle = Object.fromEntries([...readFileSync(join(here, 'src/style.css'), 'utf8').match(/:root \{[^}]*\}/)[0].matchAll(/(--[\w-]+):\s*([^;]+);/g)]
  .map(([, name, value]) => [name, value]));

async function bundled(entry, loader) {
  const result = await build({
    entryPoints: [join(here, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: ['chrome100', 'firefox100', 'safari15.4'],
    legalComments: 'none',
    logLevel: 'warning',
    loader,
    define: { lightStyle: JSON.stringify(lightStyle) },
  });
  return result.outputFiles[0].text.trim();
}

const hash = (text) => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;

// The script must not end its own element. `<` cannot be followed by these outside of strings and patterns.
const script = (await bundled('src/main.ts', {})).replace(/<\/(script)/gi, '<\\/$1').replace(/<!--/g, '<\\!--');
const style = await bundled('src/style.css', {});

// The renderer of SVG writes fonts as style attributes; nothing else that is inline is allowed, and nothing is loaded.
const policy = [
  "default-src 'none'",
  `script-src ${hash(script)}`,
  `style-src ${hash(style)}`,
  "style-src-attr 'unsafe-inline'",
  'img-src data: blob:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** The bundle holds other people's work: their licences travel with it. */
function licences() {
  const texts = ['echarts', 'zrender', 'tslib'].flatMap((name) => {
    const folder = join(here, 'node_modules', name);
    return ['NOTICE', 'LICENSE', 'LICENSE.txt'].filter((file) => existsSync(join(folder, file))).map((file) =>
      `${name}, ${file}\n\n${readFileSync(join(folder, file), 'utf8').trim()}`);
  });
  return texts.join('\n\n').replace(/--+/g, (dashes) => '='.repeat(dashes.length));
}

const html = readFileSync(join(here, 'template.html'), 'utf8')
  .replace('@LICENCES@', licences)
  .replace('@POLICY@', () => policy)
  .replace('@STYLE@', () => style)
  .replace('@SCRIPT@', () => script);

if (html.split(mark).length !== 2) throw new Error(`the template must hold ${mark} once`);

/** A C++ string literal in lines, in pieces that every compiler takes. */
function pieces(text) {
  const most = 30000;
  const bytes = Buffer.from(text, 'utf8');
  const literals = [];
  for (let from = 0; from < bytes.length; from += most) {
    let line = '';
    for (const b of bytes.subarray(from, from + most))
      if (b === 34 || b === 92) line += `\\${String.fromCharCode(b)}`;
      else if (b === 63) line += '\\?'; // no trigraphs
      else line += b >= 32 && b < 127 ? String.fromCharCode(b) : `\\${b.toString(8).padStart(3, '0')}`;
    literals.push(`"${line}"sv`);
  }
  return literals.join(',\n');
}

const [before, after] = html.split(mark);
const cpp = `// Made by report/build.mjs.

#include "report/template.hpp"

namespace synchro::report {

using namespace std::literals;

namespace {
constexpr std::string_view before[] = {
${pieces(before)}};
constexpr std::string_view after[] = {
${pieces(after)}};
}  // namespace

std::span<const std::string_view> before_data() { return before; }
std::span<const std::string_view> after_data() { return after; }

}  // namespace synchro::report
`;

mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'report.html'), html);
writeFileSync(join(out, 'report_template.cpp'), cpp);
