// The page, compressed as browsers ask for it (brotli), is below 3 MB; with gzip it is somewhat more.
// node tests/size.mjs dist

import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const MOST = 3_000_000;
const sizes = new Map();
function add(folder, group) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) {
      add(path, group || name);
      continue;
    }
    const bytes = readFileSync(path);
    const gzip = gzipSync(bytes, { level: 9 }).length;
    const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length;
    const sum = sizes.get(group || name) ?? { gzip: 0, brotli: 0 };
    sizes.set(group || name, { gzip: sum.gzip + gzip, brotli: sum.brotli + brotli });
  }
}
add(process.argv[2], '');
const all = (kind) => [...sizes.values()].reduce((sum, size) => sum + size[kind], 0);
for (const [name, { gzip, brotli }] of sizes) console.log(`${name}: ${gzip} bytes with gzip, ${brotli} with brotli`);
console.log(`all files of the page: ${all('gzip')} bytes with gzip, ${all('brotli')} with brotli`);
if (all('brotli') > MOST) throw new Error(`more than ${MOST} bytes`);
