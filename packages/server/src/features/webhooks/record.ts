import { webhookDeliveryMachine } from '@florin/contract/machines/webhook-delivery.ts';
import { createBatcher } from '../../kernel/batcher.ts';
import { instantText } from '../../kernel/clock.ts';
import type { Row } from '../../store/row.ts';
import { keyText, lockRows, type RowKey, transition } from '../../store/transition.ts';
import type { Services } from '../services.ts';
import type { DeliveryChange } from './delivery.ts';

export interface Result {
  /** As it was claimed: its `due_at` is the lease under which the change was decided. */
  readonly delivery: Row;
  readonly change: DeliveryChange;
}

export type Recorder = (result: Result) => Promise<void>;

/** Records what came of deliveries, each as soon as it is known; those that are known together share a transaction. */
export const createRecorder = (services: Pick<Services, 'db' | 'catalog' | 'clock'>): Recorder =>
  createBatcher({
    run: (results: readonly Result[]) => recordAll(services, results),
    keyOf: ({ delivery }) => keyText(delivery),
  });

async function recordAll(
  { db, catalog, clock }: Pick<Services, 'db' | 'catalog' | 'clock'>,
  results: readonly Result[],
): Promise<undefined[]> {
  await db.transaction(async (tx) => {
    const keys = results.map(({ delivery }) => delivery as unknown as RowKey);
    const rows = await lockRows(tx, 'webhook_deliveries', keys);
    const changes = results.flatMap((result) => {
      const before = rows.get(keyText(result.delivery));
      return before && stillApplies(before, result) ? [{ before, ...result.change }] : [];
    });
    const at = instantText(clock.now());
    const options = { table: 'webhook_deliveries', machine: webhookDeliveryMachine, at };
    await transition(tx, catalog, options, changes);
  });
  return results.map(() => undefined);
}

/** Once the lease is another worker's, a failure is that worker's to report; what was delivered stays delivered. */
const stillApplies = (before: Row, { delivery, change }: Result): boolean =>
  before.status === 'pending' &&
  (before.due_at === delivery.due_at || change.trigger === 'deliver');
