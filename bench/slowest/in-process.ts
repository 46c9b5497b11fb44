/**
 * Loaded into a process of Florin before its program. The first SIGUSR2 starts to record spans, the second writes them
 * into the folder of this module's address. Only the server records.
 */
import diagnostics from 'node:diagnostics_channel';
import { renameSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { PerformanceObserver } from 'node:perf_hooks';
import pg from 'pg';
import { programOf } from '../profile/profile-file.ts';
import { SPANS_FILE, type Span } from './spans.ts';

const SPANS_MAX = 500_000;
/** The event loop counts as blocked if a timer comes so much too late. */
const TICK_MS = 5;
const LATE_MS = 5;
const NAME_LENGTH = 60;

const folder = new URL(import.meta.url).searchParams.get('folder') ?? '.';
const spans: Span[] = [];
let isRecording = false;

if (programOf(process.argv[1] ?? '') === 'server') record();
else process.on('SIGUSR2', () => {});

function record(): void {
  recordRequests();
  recordDatabase();
  recordLoop();
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      add('garbage', 'collection', startTime, startTime + duration);
  }).observe({ entryTypes: ['gc'] });
  process.on('SIGUSR2', () => {
    if (isRecording) write();
    isRecording = !isRecording;
  });
}

function add(kind: Span['kind'], name: string, start: number, end = performance.now()): void {
  if (isRecording && spans.length < SPANS_MAX) spans.push({ kind, name, start, end });
}

function write(): void {
  const path = join(folder, SPANS_FILE);
  writeFileSync(`${path}.next`, JSON.stringify(spans.splice(0)));
  renameSync(`${path}.next`, path);
}

function recordRequests(): void {
  const startedAt = new WeakMap<IncomingMessage, number>();
  const requestOf = (message: unknown) => (message as { request: IncomingMessage }).request;
  diagnostics.subscribe('http.server.request.start', (message) => {
    startedAt.set(requestOf(message), performance.now());
  });
  diagnostics.subscribe('http.server.response.finish', (message) => {
    const request = requestOf(message);
    const start = startedAt.get(request);
    if (start !== undefined) add('request', `${request.method} ${request.url}`, start);
  });
}

function recordDatabase(): void {
  const pool = pg.Pool.prototype as unknown as { connect(): Promise<unknown> };
  const { connect } = pool;
  pool.connect = function recorded() {
    const start = performance.now();
    const connected = connect.call(this);
    const end = (): void => add('connection', 'wait for a connection', start);
    connected.then(end, end);
    return connected;
  };
  const client = pg.Client.prototype as unknown as {
    query(query: Submitted, ...rest: unknown[]): unknown;
  };
  const { query } = client;
  client.query = function recorded(submitted, ...rest) {
    const start = performance.now();
    const { callback } = submitted;
    if (callback)
      submitted.callback = (...result) => {
        add('statement', statementName(submitted), start);
        callback.apply(submitted, result);
      };
    return query.call(this, submitted, ...rest);
  };
}

/** A query as the server submits it: with a callback of its own. */
interface Submitted {
  readonly name?: string;
  readonly text?: string;
  callback?: (...result: unknown[]) => void;
}

function statementName({ name, text = '' }: Submitted): string {
  return (name ?? text).replace(/\s+/g, ' ').slice(0, NAME_LENGTH);
}

/** A late timer is this process's own work, or the machine gave its processors to others. */
function recordLoop(): void {
  let dueAt = performance.now() + TICK_MS;
  let usage = process.cpuUsage();
  setInterval(() => {
    const now = performance.now();
    const used = process.cpuUsage(usage);
    usage = process.cpuUsage();
    const late = now - dueAt;
    if (late > LATE_MS) {
      const isOwnWork = (used.user + used.system) / 1_000 > late / 2;
      add('event loop', isOwnWork ? 'own work' : 'no processor was free', dueAt, now);
    }
    dueAt = now + TICK_MS;
  }, TICK_MS).unref();
}
