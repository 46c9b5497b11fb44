import { fileURLToPath } from 'node:url';
import { renderTable } from '../table.ts';

/** The parts of a `.cpuprofile` that this module reads (V8's `Profiler.Profile`). Times are in microseconds. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      /** Counts from 0. */
      readonly lineNumber: number;
    };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** A function with the time in its own code, without that of the functions it calls. */
export interface SelfTime {
  readonly name: string;
  /** File and line, or the part of Node. */
  readonly place: string;
  readonly self_ms: number;
}

/** V8's name for the time in which the process waits. */
const IDLE = '(idle)';
/** Start and end of the profile itself. */
const PROFILER = 'node:inspector';
const MICROS_PER_MS = 1_000;

/** Sums the samples by function, longest first. `root` shortens the files' paths. */
export function sumSelfTimes(profile: CpuProfile, root: string): SelfTime[] {
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const sums = new Map<string, SelfTime>();
  profile.samples.forEach((sample, at) => {
    const frame = frames.get(sample);
    if (!frame) return;
    const name = frame.functionName || '(anonymous)';
    const place = placeOf(frame, root);
    const self_ms = (profile.timeDeltas[at] ?? 0) / MICROS_PER_MS;
    const key = `${name} ${place}`;
    sums.set(key, { name, place, self_ms: self_ms + (sums.get(key)?.self_ms ?? 0) });
  });
  return [...sums.values()].sort((a, b) => b.self_ms - a.self_ms);
}

function placeOf(
  { url, lineNumber }: CpuProfile['nodes'][number]['callFrame'],
  root: string,
): string {
  if (url === '') return 'native';
  const path = url.startsWith('file:') ? fileURLToPath(url).replace(`${root}/`, '') : url;
  return `${path}:${lineNumber + 1}`;
}

/** Table of the functions with the longest self time, as shares of the time in which the process did not wait. */
export function renderFunctions(times: readonly SelfTime[], count_max: number): string {
  const busy = times.filter(({ name, place }) => name !== IDLE && !place.startsWith(PROFILER));
  const busy_ms = sum(busy);
  const lines = busy
    .slice(0, count_max)
    .map(({ name, place, self_ms }) => [
      self_ms.toFixed(0),
      ((100 * self_ms) / busy_ms).toFixed(1),
      name,
      place,
    ]);
  return [
    `busy ${busy_ms.toFixed(0)} ms of ${sum(times).toFixed(0)} ms`,
    renderTable(['self ms', '%', 'function', 'place'], lines),
  ].join('\n');
}

const sum = (times: readonly SelfTime[]): number =>
  times.reduce((total, { self_ms }) => total + self_ms, 0);
