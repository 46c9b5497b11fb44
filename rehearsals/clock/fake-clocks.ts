import {
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { databaseAccount } from '@florin/cli/postgres/account.ts';
import { findBinaries } from '@florin/cli/postgres/binaries.ts';
import { reachableBinaries } from '@florin/cli/postgres/database-location.ts';
import { requirePackages } from '../support/packages.ts';
import { isRunning } from '../support/process-tree.ts';

const LIBRARIES: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64' };
const DIRECTORY = `/usr/lib/${LIBRARIES[process.arch]}-linux-gnu/faketime`;
/** For processes with threads. The lock in it would stop a PostgreSQL whose signal handlers ask for the time. */
const THREADED = join(DIRECTORY, 'libfaketimeMT.so.1');
const UNTHREADED = join(DIRECTORY, 'libfaketime.so.1');

/** Clocks of processes, each an offset from the system clock. */
export interface FakeClocks {
  /** Variables that give a process its clock, by the name of the process. */
  envOf(name: string): Record<string, string>;
  /** Moves clocks away from the others, or with 0 back to them. */
  jump(names: readonly string[], offset_s: number): void;
  /** Lets this time pass for all processes. */
  pass(seconds: number): void;
  /** Seconds that have passed for all. */
  passed(): number;
}

/** Creates clocks in a directory. Throws where libfaketime is missing. */
export function createFakeClocks(directory: string): FakeClocks {
  requirePackages({ libfaketime: THREADED });
  mkdirSync(directory, { mode: 0o755 });
  removeSharedMemoryAtExit();
  const jumps = new Map<string, number>();
  let passed = 0;
  const pathOf = (name: string): string => join(directory, name.replace(' ', '-'));
  const write = (name: string, jump_s: number): void => {
    const offset_s = passed + jump_s;
    // A process that reads a half-written file would see a third time.
    const draft = `${pathOf(name)}.new`;
    writeFileSync(draft, `${offset_s < 0 ? '' : '+'}${offset_s}\n`, { mode: 0o644 });
    renameSync(draft, pathOf(name));
  };
  const jump: FakeClocks['jump'] = (names, offset_s) => {
    for (const name of names) {
      jumps.set(name, offset_s);
      write(name, offset_s);
    }
  };
  return {
    jump,
    passed: () => passed,
    pass(seconds) {
      passed += seconds;
      for (const [name, offset_s] of jumps) write(name, offset_s);
    },
    envOf(name) {
      jump([name], 0);
      return {
        LD_PRELOAD: THREADED,
        FAKETIME_TIMESTAMP_FILE: pathOf(name),
        FAKETIME_NO_CACHE: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      };
    },
  };
}

const SHARED_MEMORY = '/dev/shm';

/** Removes the files of processes that began from now on: a process that is killed leaves its own. */
function removeSharedMemoryAtExit(): void {
  const before = new Set(readdirSync(SHARED_MEMORY));
  process.once('exit', () => {
    for (const name of readdirSync(SHARED_MEMORY))
      if (!before.has(name) && isLeftOver(name)) rmSync(join(SHARED_MEMORY, name), { force: true });
  });
}

/** Whether the process that created the file, whose pid is its name's end, has ended. */
function isLeftOver(name: string): boolean {
  const pid = /^(?:sem\.)?faketime_s(?:em|hm)_(\d+)$/.exec(name)?.[1];
  return pid !== undefined && !isRunning(Number(pid));
}

/** Makes a copy of the embedded PostgreSQL whose server has these variables. Returns its `bin` directory. */
export async function wrapPostgres(
  directory: string,
  variables: Readonly<Record<string, string>>,
): Promise<string> {
  // The user of PostgreSQL has to enter the directory.
  chmodSync(directory, 0o711);
  const location = { root: directory, cluster: join(directory, 'postgres') };
  const { home } = await reachableBinaries(await findBinaries(), location, databaseAccount());
  const bin = join(directory, 'wrapped', 'bin');
  mkdirSync(bin, { recursive: true, mode: 0o755 });
  for (const name of readdirSync(join(home, 'bin')))
    if (name !== 'pg_ctl') symlinkSync(join(home, 'bin', name), join(bin, name));
  const assignments = Object.entries({ ...variables, LD_PRELOAD: UNTHREADED }).map(
    ([name, value]) => `${name}='${value}'`,
  );
  const script = `#!/bin/sh\n${assignments.join(' ')} exec ${join(home, 'bin', 'pg_ctl')} "$@"\n`;
  writeFileSync(join(bin, 'pg_ctl'), script, { mode: 0o755 });
  return bin;
}
