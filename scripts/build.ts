import { join } from 'node:path';
import { areBundlesCurrent, buildBundles } from './bundles/bundles.ts';
import { checkSizes, sizesOf } from './bundles/sizes.ts';

const ROOT = join(import.meta.dirname, '..');

async function main(onlyIfStale: boolean): Promise<void> {
  if (onlyIfStale && areBundlesCurrent(ROOT)) return;
  console.log('Building the browser bundles.');
  const sizes = sizesOf(await buildBundles(ROOT));
  for (const { name, bytes, max } of sizes) {
    console.log(`  ${name}: ${kilobytes(bytes)} gzipped, of ${kilobytes(max)} at most`);
  }
  checkSizes(sizes);
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(2)} kB`;

await main(process.argv.includes('--if-stale')).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
