import type { FastifyInstance } from 'fastify';
import { isoOf } from '../../../http/page-cursor.ts';
import { notFound } from '../../../jsonapi/problems.ts';
import type { Row } from '../../../platform/database/row.ts';
import { instantText, type Micros, microsOf, seconds } from '../../../platform/time/clock.ts';
import { listHeartbeats } from '../../../platform/workers/heartbeats.ts';
import type { Services } from '../../../services.ts';
import { OPEN_ERROR_SECONDS, OPEN_WARN_SECONDS } from '../../attempts/age-alarm.ts';
import { notifyingAccounts } from '../../attempts/recovery.ts';
import { countOpenAttemptsSince } from '../../attempts/sql/open-attempts.ts';
import { selectKeyRefusals } from '../../processor-accounts/sql/key-refusals.ts';
import { loopStateOf } from '../heartbeats.ts';
import {
  databaseState,
  QUEUED_COUNTED_MAX,
  type Queue,
  type QueueName,
  queueAt,
  queues,
} from '../sql/queues.ts';
import { fresh, OPERATOR_PATH } from './operator-action.ts';

/** Maximum number of listed loops. */
const LOOPS_MAX = 1_000;

/** Queues with a loop that an operator can wake before its next poll. */
const loops: Readonly<Partial<Record<QueueName, keyof Services['wake']>>> = {
  payment_demands: 'authorise',
  capture_demands: 'capture',
  refund_demands: 'refund',
  disputes: 'dispute',
  webhook_deliveries: 'deliver',
  webhook_replays: 'replay',
  emails: 'emails',
};

/** Operators' routes for the installation's health: processes, database and due work. */
export function registerOperatorHealth(fastify: FastifyInstance, services: Services): void {
  const { reads, system_clock, wake } = services;
  fastify.get(`${OPERATOR_PATH}/health`, async () => {
    const now = system_clock.now();
    const due: Queue[] = [];
    // Counts queues in sequence, so that a health check uses one connection.
    for (const name of queues) due.push(await queueAt(reads, name, instantText(now)));
    return {
      now: instantText(now),
      restored_to: services.restore_gate.restoredTo() ?? null,
      process: processState(),
      database: await databaseState(reads),
      queues: due.map((queue) => queueView(queue, now)),
      queued_counted_max: QUEUED_COUNTED_MAX,
      unknown_outcomes: await unknownOutcomes(services, now),
      refused_keys: [...(await selectKeyRefusals(reads)).values()].map(refusedKeyView),
      loops: (await listHeartbeats(reads, LOOPS_MAX)).map((row) => loopView(row, now)),
    };
  });
  fastify.post(`${OPERATOR_PATH}/queues/:name/run`, fresh, async (request, reply) => {
    const { name } = request.params as { readonly name: string };
    const loop = Object.hasOwn(loops, name) ? loops[name as QueueName] : undefined;
    if (!loop) throw notFound();
    wake[loop].raise();
    return reply.status(204).send();
  });
}

const loopView = (row: Row, now: Micros) => ({
  process: { id: row.process_id, host: row.host, pid: Number(row.pid) },
  loop: row.loop,
  state: loopStateOf(row, now),
  stepped_at: isoOf(row.stepped_at),
  seen_at: isoOf(row.seen_at),
  error: row.error,
  error_at: isoOf(row.error_at),
});

const refusedKeyView = ({ processor_account_id: id, name, mode, ...row }: Row) => ({
  id,
  name,
  mode,
  count: Number(row.count),
  since: isoOf(row.since),
});

const processState = () => ({
  node: process.version,
  uptime_seconds: Math.round(process.uptime()),
  memory_bytes: process.memoryUsage.rss(),
});

function queueView({ name, due, oldest_due_at }: Queue, now: Micros) {
  const oldest = oldest_due_at === null ? undefined : microsOf(oldest_due_at);
  return {
    name,
    due,
    oldest_due_at: oldest === undefined ? null : instantText(oldest),
    late_seconds: oldest === undefined ? 0 : Math.round((now - oldest) / 1_000_000),
    can_run: name in loops,
  };
}

async function unknownOutcomes({ reads, accounts }: Services, now: Micros) {
  const ages = [0, OPEN_WARN_SECONDS, OPEN_ERROR_SECONDS];
  const since = ages.map((age) => instantText(now - seconds(age)));
  const [allCount = 0, hourCount = 0, dayCount = 0] = await countOpenAttemptsSince(
    reads,
    since,
    notifyingAccounts(accounts),
  );
  return {
    under_1h: allCount - hourCount,
    from_1h_to_24h: hourCount - dayCount,
    over_24h: dayCount,
  };
}
