/**
 * Loaded into a process of Florin before its program. The first SIGUSR2 starts a CPU profile, the second writes it
 * into the folder of this module's address. Opens no port, so the vault stays closed to debuggers.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { profileFileOf, programOf } from './profile-file.ts';

const folder = new URL(import.meta.url).searchParams.get('folder') ?? '.';
const session = new Session();
let isProfiling = false;

process.on('SIGUSR2', () => (isProfiling ? write() : start()));

async function start(): Promise<void> {
  isProfiling = true;
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
}

async function write(): Promise<void> {
  isProfiling = false;
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const path = join(folder, profileFileOf(programOf(process.argv[1] ?? '')));
  writeFileSync(`${path}.next`, JSON.stringify(profile));
  renameSync(`${path}.next`, path);
}
