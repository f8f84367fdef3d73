// The page, compressed as browsers ask for it (brotli), is below 3 MB. node tests/size.mjs dist

import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const MOST = 3_000_000;
let [gzip, brotli] = [0, 0];
function add(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) {
      add(path);
      continue;
    }
    const bytes = readFileSync(path);
    gzip += gzipSync(bytes, { level: 9 }).length;
    brotli += brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length;
  }
}
add(process.argv[2]);
console.log(`all files of the page: ${gzip} bytes with gzip, ${brotli} with brotli`);
if (brotli > MOST) throw new Error(`more than ${MOST} bytes`);
