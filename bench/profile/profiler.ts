import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Testbed } from '../testbed.ts';
import { profileFileOf } from './profile-file.ts';

/** Processes whose functions are profiled. */
export const PROFILED = ['server', 'vault'] as const;

const WRITE_LIMIT_MS = 60_000;
const POLL_MS = 50;

/**
 * Writes a program into `directory` that runs Node with the profiler. Returns Node's options for a supervisor that
 * starts its children by this program. `folder` gets their profiles.
 */
export const prepareProfiler = (directory: string, folder: string): readonly string[] =>
  startWith(directory, join(import.meta.dirname, 'in-process.ts'), folder);

/** Same as `prepareProfiler`, for a module that writes other files into `folder`. */
export function startWith(directory: string, module: string, folder: string): readonly string[] {
  const program = join(directory, 'node-with-profiler');
  const imported = moduleWith(module, { folder });
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' --import '${imported}' "$@"\n`);
  chmodSync(program, 0o755);
  const supervisor = join(import.meta.dirname, 'in-supervisor.ts');
  return ['--import', moduleWith(supervisor, { node: program })];
}

function moduleWith(path: string, parameters: Readonly<Record<string, string>>): string {
  const url = pathToFileURL(path);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** Profiles server and vault while `work` runs. Afterwards their profiles are in `folder`. */
export const profileWhile = <Result>(
  testbed: Testbed,
  folder: string,
  work: () => Promise<Result>,
): Promise<Result> =>
  recordWhile(
    testbed,
    PROFILED.map((program) => join(folder, profileFileOf(program))),
    work,
  );

/** Signals server and vault before and after `work`, and waits for the files that they write then. */
export async function recordWhile<Result>(
  testbed: Testbed,
  files: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  toggle(testbed);
  try {
    return await work();
  } finally {
    toggle(testbed);
    await waitForFiles(files);
  }
}

function toggle(testbed: Testbed): void {
  for (const program of PROFILED) process.kill(testbed.pidOf(program), 'SIGUSR2');
}

async function waitForFiles(files: readonly string[]): Promise<void> {
  const deadline = performance.now() + WRITE_LIMIT_MS;
  const isMissing = (file: string): boolean => !existsSync(file);
  while (files.some(isMissing)) {
    if (performance.now() > deadline) throw new Error(`${files.find(isMissing)} was not written`);
    await sleep(POLL_MS);
  }
}
