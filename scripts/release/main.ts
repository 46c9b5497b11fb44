import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readOptions } from '../options.ts';
import { ROOT } from '../program.ts';
import { makeRelease, refuseChanges } from './make.ts';

const options = readOptions({
  command: 'npm run release',
  summary:
    'Makes the files that an operator installs: archive, bill of materials, licences, checksums.',
  options: {
    output: { default: 'release', description: 'directory of the files' },
    rootfs: {
      default: '',
      description:
        'empty directory for the root file system of the image, without a container engine',
    },
    signatures: {
      default: 'verify',
      description:
        'verify or skip the signatures of npm packages; skip where the registry has none',
    },
  },
});

const directory = mkdtempSync(join(tmpdir(), 'florin-release-'));
try {
  refuseChanges(ROOT);
  await makeRelease({
    root: ROOT,
    output: resolve(ROOT, options.output),
    directory,
    ...(options.rootfs && { rootfs: resolve(ROOT, options.rootfs) }),
    verifiesSignatures: options.signatures !== 'skip',
    print: console.log,
  });
  // The files were copied from the working tree, and name the commit.
  refuseChanges(ROOT);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
