import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeFileLock } from './file-lock.mjs';

/** npm's record of node_modules. npm writes it last, so an incomplete installation has none. */
const NPM_RECORD = ['node_modules', '.package-lock.json'];
const STAMP = ['node_modules', '.florin-install'];
/**
 * Arguments of npm. Development dependencies run Florin from its sources; optional ones contain Node and
 * PostgreSQL.
 */
const ARGS = [
  'ci',
  '--include=dev',
  '--include=optional',
  '--no-audit',
  '--no-fund',
  // Hides npm's warning that this Node is too old; this Node only starts the pinned one.
  '--loglevel=error',
];

/**
 * Installs the dependencies if they are missing or differ from the lock file.
 * @param {string} root
 */
export async function ensureInstalled(root) {
  if (isFresh(root)) return;
  const lock = await takeLock(root);
  try {
    if (!isFresh(root)) install(root);
  } finally {
    rmSync(lock, { force: true });
  }
}

/**
 * Whether node_modules matches package-lock.json.
 * @param {string} root
 */
export function isFresh(root) {
  const hash = hashOf(join(root, 'package-lock.json'));
  const stamp = join(root, ...STAMP);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return true;
  if (!matchesLockFile(root)) return false;
  writeStamp(stamp, hash);
  return true;
}

/**
 * Writes the stamp where this user may write. Services run under users that cannot change the installation.
 * @param {string} stamp @param {string} hash
 */
function writeStamp(stamp, hash) {
  try {
    writeFileSync(stamp, hash);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code !== 'EACCES' && code !== 'EROFS') throw error;
  }
}

/**
 * Whether a manual installation has the versions of the lock file.
 * @param {string} root
 */
function matchesLockFile(root) {
  const record = join(root, ...NPM_RECORD);
  if (!existsSync(record)) return false;
  const lockedPackages = packagesOf(join(root, 'package-lock.json'));
  const installedPackages = packagesOf(record);
  return Object.entries(lockedPackages).every(([path, { version, optional, link }]) => {
    if (path === '' || !path.startsWith('node_modules/')) return true;
    // Optional packages may be missing, since some are for other platforms.
    if (!installedPackages[path]) return optional === true;
    return link === true || installedPackages[path].version === version;
  });
}

/** @param {string} path @returns {Record<string, { version?: string, optional?: boolean, link?: boolean }>} */
const packagesOf = (path) => JSON.parse(readFileSync(path, 'utf8')).packages;

/** @param {string} path */
const hashOf = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');

/** @param {string} root */
function install(root) {
  console.log('Installing the dependencies (npm ci). The first time takes about a minute.');
  const npm = process.env.npm_execpath;
  const [program, args] = npm?.endsWith('.js') ? [process.execPath, [npm, ...ARGS]] : ['npm', ARGS];
  const { status, error } = spawnSync(program, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) {
    const reason = error
      ? `: ${error.message}`
      : '; what npm says is above. Run npm install yourself, then start again';
    throw new Error(`The dependencies could not be installed${reason}.`);
  }
  writeFileSync(join(root, ...STAMP), hashOf(join(root, 'package-lock.json')));
}

/**
 * Takes the installation lock. If two commands find no installation, one installs and the other waits.
 * @param {string} root
 */
export function takeLock(root) {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 12);
  return takeFileLock(join(tmpdir(), `florin-install-${name}-${process.getuid?.()}`));
}
