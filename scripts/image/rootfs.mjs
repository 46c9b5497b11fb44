// Assembles the root file system of the container image from an installed release. The Dockerfile runs this in its
// build stage. Plain JavaScript without imports of Florin, because an installation has no development tools.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const INSTALLATION = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const PLACE = '/opt/florin';

/** Users of the image: numbers, because orchestrators compare numbers. Server and vault share the group. */
const GROUP = { name: 'florin', gid: 10_000 };
const USERS = [
  { name: 'florin', uid: 10_001, gid: GROUP.gid, home: '/var/lib/florin' },
  { name: 'florin-vault', uid: 10_002, gid: GROUP.gid, home: '/var/lib/florin-vault' },
  { name: 'florin-owner', uid: 10_003, gid: 10_003, home: '/nonexistent' },
];
const [SERVER, VAULT] = /** @type {[typeof USERS[0], typeof USERS[0]]} */ (USERS);

/** Directories that processes write to, or that an engine mounts. Everything else is read-only for all users. */
const DIRECTORIES = [
  { path: '/var/lib/florin', mode: 0o700, uid: SERVER.uid },
  { path: '/var/lib/florin-vault', mode: 0o700, uid: VAULT.uid },
  // The server reaches the socket as a member of the group, and can create nothing beside it.
  { path: '/run/florin', mode: 0o2750, uid: VAULT.uid },
  { path: '/tmp', mode: 0o1777 },
  ...['/run/postgresql', '/run/secrets', '/dev', '/proc', '/sys'].map((path) => ({
    path,
    mode: 0o755,
  })),
];

const FILES = {
  '/etc/passwd': ['root:x:0:0:root:/:/sbin/nologin', ...USERS.map(passwdLine)],
  '/etc/group': ['root:x:0:', `${GROUP.name}:x:${GROUP.gid}:`, 'florin-owner:x:10003:'],
  '/etc/nsswitch.conf': ['hosts: files dns'],
  '/usr/local/bin/florin': [
    '#!/bin/sh',
    `exec /usr/local/bin/node ${PLACE}/packages/cli/src/main.ts "$@"`,
  ],
};

/** @param {typeof USERS[0]} user */
function passwdLine({ name, uid, gid, home }) {
  return `${name}:x:${uid}:${gid}::${home}:/sbin/nologin`;
}

/** Node comes from its package, whose headers and manual are of no use. The lock file names its version. */
const NODE = /^node_modules\/node-(linux|bin-darwin)-\w+$/;

/** @param {string} root Empty directory. */
function assemble(root) {
  copyInstallation(root);
  const node = findNode();
  const shell = realpathSync('/bin/sh');
  copyFile(node, join(root, '/usr/local/bin/node'), 0o755);
  copyFile(shell, join(root, '/bin/sh'), 0o755);
  for (const library of new Set([...librariesOf(node), ...librariesOf(shell)]))
    copyFile(realpathSync(library), join(root, library), 0o755);
  copyLicences(root);
  for (const [path, lines] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${lines.join('\n')}\n`);
    chmodSync(join(root, path), path.includes('/bin/') ? 0o755 : 0o644);
  }
  for (const directory of DIRECTORIES) makeDirectory(root, directory);
}

/** @param {string} root */
function copyInstallation(root) {
  cpSync(INSTALLATION, join(root, PLACE), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !NODE.test(relative(INSTALLATION, source)),
  });
}

function findNode() {
  const modules = join(INSTALLATION, 'node_modules');
  const name = `node-${process.platform}-${process.arch}`;
  const node = join(modules, name, 'bin', 'node');
  if (existsSync(node)) return node;
  throw new Error(`${name} is not installed. Run "npm ci --ignore-scripts" in ${INSTALLATION}.`);
}

/**
 * Paths of the shared libraries of a program, with its loader.
 * @param {string} program
 */
function librariesOf(program) {
  const text = execFileSync('ldd', [program], { encoding: 'utf8' });
  const paths = [...text.matchAll(/(\/\S+) \(0x/g)].map(([, path]) => String(path));
  if (!paths.some((path) => path.endsWith('/libc.so.6')))
    throw new Error(`${program} needs the GNU C library. Build on Debian or another such system.`);
  return paths;
}

/**
 * Debian's notices of the copied libraries, where this system is Debian.
 * @param {string} root
 */
function copyLicences(root) {
  for (const name of ['libc6', 'libgcc-s1', 'libstdc++6', 'dash']) {
    const notice = `/usr/share/doc/${name}/copyright`;
    if (existsSync(notice)) copyFile(realpathSync(notice), join(root, notice), 0o644);
  }
}

/** @param {string} source @param {string} target @param {number} mode */
function copyFile(source, target, mode) {
  mkdirSync(dirname(target), { recursive: true });
  cpSync(source, target);
  chmodSync(target, mode);
}

/** @param {string} root @param {{ path: string, mode: number, uid?: number }} directory */
function makeDirectory(root, { path, mode, uid }) {
  mkdirSync(join(root, path), { recursive: true });
  // Only root can give a directory away. The Dockerfile names the owners again.
  if (uid !== undefined && process.getuid?.() === 0) chownSync(join(root, path), uid, GROUP.gid);
  chmodSync(join(root, path), mode);
}

try {
  const [target] = process.argv.slice(2);
  if (!target) throw new Error(`Usage: node ${basename(process.argv[1] ?? '')} DIRECTORY`);
  const root = resolve(target);
  mkdirSync(root, { recursive: true });
  if (readdirSync(root).length > 0)
    throw new Error(`${root} is not empty. Name a new directory, or empty this one.`);
  process.umask(0o022);
  assemble(root);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
