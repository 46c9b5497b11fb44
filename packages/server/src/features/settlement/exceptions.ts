import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { insertRows } from '../../platform/database/rows.ts';
import { writeEvents } from '../../platform/outbox/events.ts';
import type { Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { eventAbout } from '../records/emit.ts';
import { writeNotifiableChanges } from '../records/notifiable-changes.ts';
import { fileSourceOf } from './read-file.ts';

export type ExceptionServices = Pick<
  Services,
  'catalog' | 'logger' | 'models' | 'system_clock' | 'wake'
>;

/**
 * Stores differences between a settlement file and the ledger as exceptions, and emits their
 * events.
 */
export async function recordException(
  { catalog, logger, models, system_clock, wake }: ExceptionServices,
  tx: Db,
  progress: Row,
  exceptions: readonly Row[],
  now: Micros,
): Promise<void> {
  if (exceptions.length === 0) return;
  await insertRows(tx, catalog, 'settlement_exceptions', exceptions);
  const model = models.get('settlement_exceptions');
  const events = exceptions.map((exception) => eventAbout(model, exception, 'created', now));
  await writeEvents(tx, catalog, events);
  const changes = exceptions.map((record) => ({ kind: 'settlement_difference', record }) as const);
  await writeNotifiableChanges(tx, system_clock.now(), changes);
  wake.deliver.raise();
  const count = exceptions.length;
  logger.error(
    { ...fileSourceOf(progress), count },
    'settlement file differs from the ledger: resolve the exceptions',
  );
}
