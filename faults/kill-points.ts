import { channel } from 'node:diagnostics_channel';
import { appendFileSync, existsSync } from 'node:fs';
import pg from 'pg';
import type { ProcessSettings } from './config/env.ts';
import type { Kill, PlannedPause } from './plan.ts';

/** Kills or pauses this process at the kill points of the plan. */
export interface KillPoints {
  /** Restarts the count of kill points when the process begins to serve. */
  beginService(): void;
}

/**
 * Watches all kill points: before and after each statement, commit and message, and around incoming requests.
 * At the planned point the process kills itself with SIGKILL.
 */
export function watchKillPoints(
  settings: ProcessSettings,
  watchers: readonly WatchPoints[] = [watchStatements, watchMessages],
): KillPoints {
  const passageCounts = new Map<string, number>();
  let handlers = handlersOf(settings, 'start');
  const visit = (point: string): void => {
    const passage = (passageCounts.get(point) ?? 0) + 1;
    passageCounts.set(point, passage);
    if (handlers.length === 0 || existsSync(settings.calmFile)) return;
    for (const handle of handlers) handle({ point, passage, passedPoints: passageCounts.size });
  };
  for (const startWatching of watchers) startWatching(visit);
  return {
    beginService() {
      passageCounts.clear();
      handlers = handlersOf(settings, 'run');
    },
  };
}

/** Current kill point of a process. */
interface KillPointVisit {
  readonly point: string;
  readonly passage: number;
  /** Number of kill points passed so far. */
  readonly passedPoints: number;
}

type KillPointHandler = (at: KillPointVisit) => void;

const handlersOf = (settings: ProcessSettings, phase: Kill['phase']): KillPointHandler[] => {
  const { kill, stalls } = settings;
  return [
    ...(phase === 'run'
      ? stalls.map((stall) =>
          createPointHandler(stall, (visited) => pauseProcess(settings, stall, visited)),
        )
      : []),
    ...(kill?.phase === phase
      ? [createPointHandler(kill, ({ point }) => killProcess(settings, point))]
      : []),
  ];
};

/** Calls `act` at a planned kill point, which is given by number or by name. */
function createPointHandler(
  { point, passage }: Pick<Kill, 'point' | 'passage'>,
  act: KillPointHandler,
): KillPointHandler {
  let name: string | undefined;
  return (visited) => {
    if (visited.point === point || visited.passedPoints === point) name ??= visited.point;
    if (visited.point === name && visited.passage === passage) act(visited);
  };
}

/** Blocks the complete process, including timers and responses. */
function pauseProcess(
  { stallsFile }: ProcessSettings,
  { ms }: PlannedPause,
  { point }: KillPointVisit,
): void {
  appendFileSync(stallsFile, `${JSON.stringify(`${ms} ms ${point}`)}\n`);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function killProcess({ killsFile }: ProcessSettings, point: string): void {
  appendFileSync(killsFile, `${JSON.stringify(point)}\n`);
  process.kill(process.pid, 'SIGKILL');
}

/** Called with the name of each kill point that the process passes. */
export type Visit = (point: string) => void;
type WatchPoints = (visit: Visit) => void;
type Query = (this: pg.Client, ...args: unknown[]) => Promise<unknown> | undefined;

/** Watches statements at the connection, which covers pools and transactions. */
function watchStatements(visit: Visit): void {
  const lastStatements = new WeakMap<pg.Client, string>();
  const client = pg.Client.prototype as unknown as { query: Query };
  const { query } = client;
  client.query = function (...args) {
    const statement = statementOf(args[0]);
    const point = statement === 'commit' ? `commit of ${lastStatements.get(this)}` : statement;
    lastStatements.set(this, statement);
    visit(`before ${point}`);
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      args[args.length - 1] = (...results: unknown[]) => {
        visit(`after ${point}`);
        callback(...results);
      };
    }
    const queryResult = query.apply(this, args);
    queryResult?.then?.(
      () => visit(`after ${point}`),
      () => {},
    );
    return queryResult;
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

const ID_PATTERN = /[0-9a-f]{8}-[0-9a-f-]{27}|\d+/g;
const nameOf = ({ request: { method, path, url } }: UndiciRequestEvent): string =>
  `${method} ${(path ?? url ?? '').replaceAll(ID_PATTERN, ':id')}`;

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
  for (const [name, moment] of Object.entries(channels)) {
    channel(name).subscribe((message) =>
      visit(`${moment} ${nameOf(message as UndiciRequestEvent)}`),
    );
  }
}
