import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, type Registry } from 'prom-client';
import { metricOptions } from '../../http/health/metrics.ts';
import { createSyncHook } from '../../http/hook.ts';
import type { Scope } from '../../platform/database/scope.ts';
import type { Services } from '../../services.ts';
import { type NamedRecords, namedRecords } from './named-records.ts';
import { appendCommand, isOfOtherMode, otherMode } from './sql.ts';

const MINUTE_MS = 60_000;
/** Lookups a minute of one process and mode. A caller who guesses ids must not load the database. */
const LOOKUPS_MAX = 120;
/** Merchants whose alarm is remembered for its minute. */
const ALARMED_MAX = 1_000;

type CrossingServices = Pick<Services, 'db' | 'models' | 'logger' | 'config'>;

/** A refused request that may name a record of the other mode. */
interface Crossing {
  readonly scope: Scope;
  readonly method: string;
  readonly by: string;
}

/**
 * Counts refused requests of one mode for records of the other, named in address or body. Raises an alarm once a minute,
 * merchant and mode: log and audit log. The caller's answer is the same as for an unknown id, and is sent before.
 */
export function registerModeCrossings(
  fastify: FastifyInstance,
  services: CrossingServices,
  metrics: Registry,
): void {
  const { models, config, logger } = services;
  const counter = counterIn(metrics);
  const mayLookUp = createMinuteLimit(config.monotonic_ms, LOOKUPS_MAX);
  const raiseAlarm = createAlarm(services);

  async function report(crossing: Crossing, records: readonly NamedRecords[]): Promise<void> {
    const { scope, method } = crossing;
    for (const { model, ids } of records) {
      if (!mayLookUp(scope.mode)) return;
      if (!(await isOfOtherMode(services.db, model.table, { ids, ...scope }))) continue;
      counter.inc({ access: method === 'GET' ? 'read' : 'write', key: scope.mode });
      return raiseAlarm(crossing, model.type);
    }
  }

  fastify.addHook(
    'onResponse',
    createSyncHook((request, reply) => {
      const crossing = crossingOf(request, reply);
      if (!crossing || !mayLookUp.isLeft(crossing.scope.mode)) return;
      report(crossing, namedRecords(models, request)).catch((err: unknown) =>
        logger.warn({ err }, 'a request for a record of the other mode was not reported'),
      );
    }),
  );
}

function counterIn(metrics: Registry): Counter<string> {
  const counter = new Counter({
    ...metricOptions('florin_mode_crossings_total'),
    registers: [metrics],
  });
  // Prometheus sees no increase in a series that begins with its first count.
  for (const key of ['sandbox', 'live'])
    for (const access of ['read', 'write']) counter.inc({ access, key }, 0);
  return counter;
}

/** Allows `max` calls a minute for each key. */
function createMinuteLimit(monotonic_ms: () => number, max: number) {
  const calls = { minute: 0, byKey: new Map<string, number>() };
  function countOf(key: string): number {
    const minute = Math.floor(monotonic_ms() / MINUTE_MS);
    if (minute !== calls.minute) Object.assign(calls, { minute, byKey: new Map() });
    return calls.byKey.get(key) ?? 0;
  }
  const take = (key: string): boolean => {
    const count = countOf(key);
    calls.byKey.set(key, count + 1);
    return count < max;
  };
  return Object.assign(take, { isLeft: (key: string): boolean => countOf(key) < max });
}

/** Raises the alarm of a merchant and mode once a minute. An alarm that was not stored is raised again. */
function createAlarm({ db, logger, config }: CrossingServices) {
  const raised = { minute: 0, subjects: new Set<string>() };
  return async ({ scope, method, by }: Crossing, type: string): Promise<void> => {
    const minute = Math.floor(config.monotonic_ms() / MINUTE_MS);
    if (minute !== raised.minute) Object.assign(raised, { minute, subjects: new Set() });
    const { subjects } = raised;
    const { merchant_id, mode } = scope;
    const subject = `${mode} ${merchant_id}`;
    if (subjects.has(subject) || subjects.size >= ALARMED_MAX) return;
    // Concurrent requests must find it before the entry is stored.
    subjects.add(subject);
    const record = `on a ${otherMode(mode)} record`;
    logger.warn({ merchant_id, type, method, by }, `${mode} key used ${record}`);
    await appendCommand(db, {
      command: `refused: ${mode} key ${record}`,
      subject: `${method} ${type} of merchant ${merchant_id}`,
      user: by,
    }).catch((error: unknown) => {
      subjects.delete(subject);
      throw error;
    });
  };
}

/** The request as a possible crossing: a key or session got 404. */
function crossingOf(
  { caller, method }: FastifyRequest,
  { statusCode }: FastifyReply,
): Crossing | undefined {
  if (statusCode !== 404 || !caller) return undefined;
  const by =
    'token_id' in caller ? `key ${caller.token_id}` : `account ${caller.person.account.id}`;
  return { scope: caller.scope, method, by };
}
