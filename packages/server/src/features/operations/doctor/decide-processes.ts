import type { LoopState } from '../heartbeats.ts';
import { type DoctorFinding, finding, when } from './findings.ts';

/** Loops that a finding names. */
const NAMED_MAX = 3;

/** State of a work loop, from the heartbeat of its process. */
export interface LoopFacts {
  readonly process: string;
  readonly version: string | null;
  readonly loop: string;
  readonly state: LoopState;
  readonly error: string | null;
}

export interface DoctorProcesses {
  /** Version of this program. */
  readonly version: string;
  readonly loops: readonly LoopFacts[];
  /** Live processes with work loops. */
  readonly workers: number;
  /** Live processes that lack the newest key of `secrets.key`. */
  readonly without_key: readonly string[];
  /** The last moment that a restored database knows, while it is closed. */
  readonly restored_to: string | undefined;
  /** Whether the database was made read-only. */
  readonly is_read_only: boolean;
  /** Whether the disk of the database takes no file, so that it refuses writes. */
  readonly is_disk_full: boolean;
}

/** Decides what is wrong with the processes of an installation. */
export function processFindings({
  loops,
  version,
  workers,
  without_key,
  restored_to,
  is_read_only,
  is_disk_full,
}: DoctorProcesses): DoctorFinding[] {
  const live = loops.filter(({ state }) => state !== 'gone');
  // A database without writes stores no heartbeats: their age then says nothing about processes.
  const canBeat = !is_read_only && !is_disk_full;
  const gone = canBeat ? processesOf(loops.filter(({ state }) => state === 'gone')) : [];
  // A closed installation starts no other loops.
  const hasNoWorker = canBeat && live.length > 0 && workers === 0 && restored_to === undefined;
  return [
    ...when(canBeat && live.length === 0, () =>
      finding('processes', 'No server runs.', 'a-server-does-not-answer', 'Start Florin.'),
    ),
    ...when(hasNoWorker, () => finding('processes', NO_WORKER, 'no-worker-runs', START_WORKER)),
    ...gone.map((process) =>
      finding(
        'processes',
        `${process} ended without a stop.`,
        'a-server-does-not-answer',
        'Read its log.',
      ),
    ),
    ...groupStuck(live).map((group) =>
      finding('processes', describeStuck(group), 'a-worker-is-stuck'),
    ),
    ...without_key.map((process) => ({
      area: 'processes' as const,
      problem: `${process} lacks the newest key of secrets.key, and cannot open what others seal.`,
      next_step: 'Put the key there, and restart: /docs/operate/keys#rotate-secretskey.',
    })),
    ...versionFindings(live, version),
  ];
}

const NO_WORKER = 'No worker runs, only processes that serve requests.';
const START_WORKER = 'Start one: florin serve worker.';

function versionFindings(live: readonly LoopFacts[], version: string): DoctorFinding[] {
  const others = new Set(live.flatMap((loop) => (loop.version ? [loop.version] : [])));
  others.delete(version);
  return when(others.size > 0, () => ({
    area: 'processes',
    problem: `Servers of other versions than ${version} run: ${[...others].join(', ')}.`,
    next_step: 'Finish the upgrade: /docs/operate/upgrade.',
  }));
}

const processesOf = (loops: readonly LoopFacts[]): string[] => [
  ...new Set(loops.map(({ process }) => process)),
];

/** Loops that fail with one error, such as that of an unreachable database, have one cause. */
function groupStuck(live: readonly LoopFacts[]): LoopFacts[][] {
  const stuck = live.filter(({ state }) => state !== 'beating');
  return [...Map.groupBy(stuck, ({ state, error }) => `${state} ${error}`).values()];
}

function describeStuck(group: readonly LoopFacts[]): string {
  const [{ process, loop, state, error } = {}] = group;
  const reason = error ? `: ${error}` : '';
  if (group.length === 1) return `The worker ${loop} of ${process} is ${state}${reason}.`;
  const processes = processesOf(group);
  const where = processes.length === 1 ? process : `${processes.length} processes`;
  const names = [...new Set(group.map(({ loop: name }) => name))];
  const others = names.length - NAMED_MAX;
  const named = `${names.slice(0, NAMED_MAX).join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
  return `${group.length} workers of ${where} are ${state} (${named})${reason}.`;
}
