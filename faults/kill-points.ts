import { channel } from 'node:diagnostics_channel';
import { appendFileSync, existsSync } from 'node:fs';
import pg from 'pg';
import type { ProcessSettings } from './config/env.ts';
import type { Kill, PlannedPause } from './plan.ts';

/** Kills or pauses this process at the kill points of the plan. */
export interface KillPoints {
  /** Restarts the count of kill points when the process begins to serve. */
  serving(): void;
}

/**
 * Watches all kill points: before and after each statement, commit and message, and around incoming requests.
 * At the planned point the process kills itself with SIGKILL.
 */
export function watchKillPoints(
  settings: ProcessSettings,
  watches: readonly Watch[] = [watchStatements, watchMessages],
): KillPoints {
  const passages = new Map<string, number>();
  let marks = marksOf(settings, 'start');
  const visit = (place: string): void => {
    const passage = (passages.get(place) ?? 0) + 1;
    passages.set(place, passage);
    if (marks.length === 0 || existsSync(settings.calmFile)) return;
    for (const mark of marks) mark({ place, passage, places: passages.size });
  };
  for (const watch of watches) watch(visit);
  return {
    serving() {
      passages.clear();
      marks = marksOf(settings, 'run');
    },
  };
}

/** Current kill point of a process. */
interface KillPointVisit {
  readonly place: string;
  readonly passage: number;
  /** Number of kill points passed so far. */
  readonly places: number;
}

type VisitKillPoint = (at: KillPointVisit) => void;

const marksOf = (settings: ProcessSettings, phase: Kill['phase']): VisitKillPoint[] => {
  const { kill, stalls } = settings;
  return [
    ...(phase === 'run'
      ? stalls.map((stall) => markAt(stall, (at) => pauseProcess(settings, stall, at)))
      : []),
    ...(kill?.phase === phase ? [markAt(kill, ({ place }) => endAt(settings, place))] : []),
  ];
};

/** Calls `act` at a planned kill point, which is given by number or by name. */
function markAt(
  { place, passage }: Pick<Kill, 'place' | 'passage'>,
  act: VisitKillPoint,
): VisitKillPoint {
  let name: string | undefined;
  return (at) => {
    if (at.place === place || at.places === place) name ??= at.place;
    if (at.place === name && at.passage === passage) act(at);
  };
}

/** Blocks the complete process, including timers and responses. */
function pauseProcess(
  { stallsFile }: ProcessSettings,
  { ms }: PlannedPause,
  { place }: KillPointVisit,
): void {
  appendFileSync(stallsFile, `${JSON.stringify(`${ms} ms ${place}`)}\n`);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function endAt({ killsFile }: ProcessSettings, place: string): void {
  appendFileSync(killsFile, `${JSON.stringify(place)}\n`);
  process.kill(process.pid, 'SIGKILL');
}

/** Called with the name of each kill point that the process passes. */
export type Visit = (place: string) => void;
type Watch = (visit: Visit) => void;
type Query = (this: pg.Client, ...args: unknown[]) => Promise<unknown> | undefined;

/** Watches statements at the connection, which covers pools and transactions. */
function watchStatements(visit: Visit): void {
  const latest = new WeakMap<pg.Client, string>();
  const client = pg.Client.prototype as unknown as { query: Query };
  const { query } = client;
  client.query = function (...args) {
    const statement = statementOf(args[0]);
    const place = statement === 'commit' ? `commit of ${latest.get(this)}` : statement;
    latest.set(this, statement);
    visit(`before ${place}`);
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      args[args.length - 1] = (...results: unknown[]) => {
        visit(`after ${place}`);
        callback(...results);
      };
    }
    const running = query.apply(this, args);
    running?.then?.(
      () => visit(`after ${place}`),
      () => {},
    );
    return running;
  };
}

const STATEMENT_CHARS_MAX = 70;

function statementOf(config: unknown): string {
  return shortenSql(
    typeof config === 'string' ? config : String((config as { text?: string }).text),
  );
}

/** Shortens a statement to the name of a kill point. */
export const shortenSql = (sql: string): string =>
  sql.replaceAll(/\s+/g, ' ').trim().slice(0, STATEMENT_CHARS_MAX);

interface UndiciRequestEvent {
  readonly request: { readonly method: string; readonly path?: string; readonly url?: string };
}

const ids = /[0-9a-f]{8}-[0-9a-f-]{27}|\d+/g;
const nameOf = ({ request: { method, path, url } }: UndiciRequestEvent): string =>
  `${method} ${(path ?? url ?? '').replaceAll(ids, ':id')}`;

/** Diagnostic channels of messages to the vault and processors, of webhooks, and of incoming requests. */
const channels = {
  'undici:request:create': 'before sending',
  'undici:request:bodySent': 'after sending',
  'undici:request:headers': 'at the answer to',
  'undici:request:trailers': 'after the answer to',
  'http.server.request.start': 'at the request',
  'http.server.response.finish': 'after answering',
} as const;

export function watchMessages(visit: Visit): void {
  for (const [name, when] of Object.entries(channels)) {
    channel(name).subscribe((message) => visit(`${when} ${nameOf(message as UndiciRequestEvent)}`));
  }
}
