import { spawn, spawnSync } from 'node:child_process';
import { chown } from 'node:fs/promises';
import type { Owner } from '../kernel/socket-directory.ts';

/** Operating system user that PostgreSQL runs as. */
export interface Account extends Owner {
  readonly name: string;
}

const KNOWN_NAMES = ['postgres', '_postgres', 'florin'];
const MALLOC_KEPT_BYTES = String(8 * 1024 ** 2);
/**
 * Keeps the memory of large statements for reuse. By default glibc returns that memory, and the kernel clears its
 * pages each time.
 */
const ENVIRONMENT = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
  LC_ALL: 'C',
  MALLOC_TRIM_THRESHOLD_: MALLOC_KEPT_BYTES,
  MALLOC_MMAP_THRESHOLD_: MALLOC_KEPT_BYTES,
};

/**
 * Returns the user to run PostgreSQL as, because PostgreSQL refuses root: `postgres`, a new system user `florin`, or
 * `nobody`. Undefined unless the current user is root.
 */
export function databaseAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const existingAccount = KNOWN_NAMES.map(lookUp).find((account) => account !== undefined);
  return existingAccount ?? createAccount() ?? lookUp('nobody');
}

function createAccount(): Account | undefined {
  const args = ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin'];
  spawnSync('useradd', [...args, 'florin'], { env: ENVIRONMENT, stdio: 'ignore' });
  return lookUp('florin');
}

function lookUp(name: string): Account | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => idOf(flag, name));
  return uid === undefined || gid === undefined ? undefined : { name, uid, gid };
}

function idOf(flag: string, name: string): number | undefined {
  const { status, stdout } = spawnSync('id', [flag, name], { env: ENVIRONMENT, encoding: 'utf8' });
  return status === 0 ? Number(stdout) : undefined;
}

/** Whether the account may traverse or execute `path`. The system checks it, so that ACLs count. */
export function canEnter(account: Account, path: string): boolean {
  const { status } = spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], asAccount(account));
  return status === 0;
}

const asAccount = (account?: Account) => ({
  cwd: '/',
  env: ENVIRONMENT,
  ...(account && { uid: account.uid, gid: account.gid }),
});

/** Grace period for buffered output after a program has ended. */
const OUTPUT_GRACE_MS = 100;

/** Runs a program as the account until it ends, and collects its output. Children of the program may run longer. */
export function run(
  account: Account | undefined,
  file: string,
  args: readonly string[],
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { ...asAccount(account), stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk;
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', (error) => resolve({ code: null, output: error.message }));
    child.once('close', (code) => resolve({ code, output }));
    // Waits for 'exit', not 'close': a started postmaster keeps the pipes open.
    child.once('exit', (code) => setTimeout(() => resolve({ code, output }), OUTPUT_GRACE_MS));
  });
}

/** Gives a file of root's to the database user. Does nothing for other users, who run PostgreSQL themselves. */
export async function transferToAccount(path: string): Promise<void> {
  const account = databaseAccount();
  if (account) await chown(path, account.uid, account.gid);
}
