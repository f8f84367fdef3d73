// The page, compressed as every host and browser can (gzip), is below 3 MB.
// node tests/size.mjs dist

import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const MOST = 3_000_000;
const sizes = new Map();
function add(folder, group) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) {
      add(path, group || name);
      continue;
    }
    sizes.set(group || name, (sizes.get(group || name) ?? 0) + gzipSync(readFileSync(path), { level: 9 }).length);
  }
}
add(process.argv[2], '');
const all = [...sizes.values()].reduce((sum, size) => sum + size, 0);
for (const [name, size] of sizes) console.log(`${name}: ${size} bytes with gzip`);
console.log(`all files of the page: ${all} bytes with gzip`);
if (all > MOST) throw new Error(`more than ${MOST} bytes`);
