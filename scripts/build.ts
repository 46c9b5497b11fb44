import { join } from 'node:path';
import { areFresh, buildBundles } from './bundles.ts';

const ROOT = join(import.meta.dirname, '..');

async function main(ifStale: boolean): Promise<void> {
  if (ifStale && areFresh(ROOT)) return;
  console.log('Building the browser bundles.');
  for (const { output, bytes, gzipped } of await buildBundles(ROOT)) {
    console.log(`  packages/${output}: ${kilobytes(bytes)}, ${kilobytes(gzipped)} gzipped`);
  }
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

await main(process.argv.includes('--if-stale')).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
