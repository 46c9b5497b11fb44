import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Testbed } from './testbed.ts';

/** Parts of an installation that use the processors. */
export const OWN_PARTS = ['server', 'vault', 'postgresql'] as const;
/** Stand-ins for processors and clients: the simulated network, and the bench itself. */
export const OTHER_PARTS = ['simulator', 'load'] as const;
const PARTS = [...OWN_PARTS, ...OTHER_PARTS];

/** Processor time of each part, in milliseconds. */
export type ProcessorTime = Readonly<Record<(typeof PARTS)[number], number>>;

/** A result with the processor time that it took; undefined where there is no /proc. */
interface Metered<Result> {
  readonly result: Result;
  readonly used?: ProcessorTime;
}

/** Runs the part of a row that counts, and meters it. */
export async function meterProcessors<Result>(
  testbed: Testbed,
  work: () => Promise<Result>,
): Promise<Metered<Result>> {
  const run = () => meter(testbed, work);
  return testbed.metered ? testbed.metered(run) : run();
}

async function meter<Result>(
  testbed: Testbed,
  work: () => Promise<Result>,
): Promise<Metered<Result>> {
  if (!hasProcessorTimes()) return { result: await work() };
  const before = readTimes(testbed);
  const result = await work();
  const after = readTimes(testbed);
  return { result, used: mapParts((part) => after[part] - before[part]) };
}

/** Processor time per operation. */
export const perOperation = (used: ProcessorTime, operations: number): ProcessorTime =>
  mapParts((part) => used[part] / operations);

const mapParts = (timeOf: (part: (typeof PARTS)[number]) => number): ProcessorTime =>
  Object.fromEntries(PARTS.map((part) => [part, timeOf(part)])) as ProcessorTime;

function readTimes(testbed: Testbed): ProcessorTime {
  const { user, system } = process.cpuUsage();
  return {
    server: cpuOf(testbed.pidOf('server')),
    vault: cpuOf(testbed.pidOf('vault')),
    postgresql: cpuOfFamily(testbed.postmasterPid()),
    simulator: cpuOf(testbed.pidOf('simulator')),
    load: (user + system) / MICROS_PER_MS,
  };
}

const MICROS_PER_MS = 1_000;
/** Clock ticks per second, the time unit of /proc. */
const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Whether this machine says how long other processes have used its processors. */
export const hasProcessorTimes = (): boolean => process.platform === 'linux';

/** Processor time that a process has used, in milliseconds. Linux only. */
export const cpuOf = (pid: number): number => parseStat(statOf(pid)).own_ms;

/** Processor time of a process and of all its children, including the children that have ended. */
function cpuOfFamily(pid: number): number {
  const children = childrenOf(pid).map((child) => cpuOfChild(child));
  const { own_ms, ended_ms } = parseStat(statOf(pid));
  return children.reduce((sum, ms) => sum + ms, own_ms + ended_ms);
}

/** A child that has just ended counts among its parent's ended children. */
function cpuOfChild(pid: number): number {
  try {
    return cpuOf(pid);
  } catch {
    return 0;
  }
}

function childrenOf(pid: number): number[] {
  const list = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  return list.trim().split(/\s+/).filter(Boolean).map(Number);
}

const statOf = (pid: number): string => readFileSync(`/proc/${pid}/stat`, 'utf8');

/** Parses `/proc/<pid>/stat`: time of the process, and of its children that have ended, in milliseconds. */
export function parseStat(stat: string): { readonly own_ms: number; readonly ended_ms: number } {
  const fields = stat.replace(/^.*\) /s, '').split(' ');
  const msOf = (...at: number[]): number =>
    at.reduce((sum, field) => sum + (Number(fields[field]) * 1_000) / TICKS_PER_SECOND, 0);
  return { own_ms: msOf(11, 12), ended_ms: msOf(13, 14) };
}
