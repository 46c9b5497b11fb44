import type { Micros } from '../../kernel/clock.ts';
import type { DisputeNews } from '../../processors/disputes.ts';
import { sendPlain } from '../../processors/send-plain.ts';
import type { Db } from '../../store/db.ts';
import {
  findAuthorisation,
  findDispute,
  lockPosition,
  movePosition,
  type NewsSource,
  positionOf,
} from '../../store/disputes.ts';
import { writeEvents } from '../../store/events.ts';
import type { Row } from '../../store/row.ts';
import { insertRows } from '../../store/rows.ts';
import type { RowKey } from '../../store/transition.ts';
import type { Services } from '../services.ts';
import { eventAbout } from '../snapshot.ts';
import { changeDispute, entail } from './change.ts';
import { decideOutcome, openedDispute } from './decide.ts';

/**
 * Reads what the processor of a mode tells of disputes, and stores it together with how far it was read, so that nothing
 * is missed or stored twice. Returns whether there was any.
 */
export async function readDisputeNews(
  services: Services,
  mode: 'live' | 'sandbox',
): Promise<boolean> {
  const processor = services.processorOf(mode);
  if (!processor) return false;
  const source: NewsSource = { processor: processor.metadata.name, mode };
  const { list } = processor.disputes;
  const after = await positionOf(services.db, source);
  const answer = list.mapAnswer(await sendPlain(list.mapRequest({ after })));
  if (answer.result !== 'news' || answer.news.length === 0) return false;
  const read = await services.db.transaction(async (tx) => {
    const isStill = (await lockPosition(tx, source)) === after;
    return isStill ? storeAll(services, tx, source, answer.news) : 0;
  });
  if (read > 0) services.wake.deliver.raise();
  return read > 0;
}

/** Stops before news of a payment that is not known to be approved: its answer may still be on the way. */
async function storeAll(
  services: Services,
  tx: Db,
  source: NewsSource,
  news: readonly DisputeNews[],
): Promise<number> {
  let stored = 0;
  for (const one of news) {
    if (!(await storeOne(services, tx, source, one, services.clock.now()))) break;
    await movePosition(tx, source, one.position);
    stored += 1;
  }
  return stored;
}

async function storeOne(
  services: Services,
  tx: Db,
  source: NewsSource,
  news: DisputeNews,
  now: Micros,
): Promise<boolean> {
  const known =
    (await findDispute(tx, source, news.reference)) ??
    (await open(services, tx, source, news, now));
  if (known === 'waits') return false;
  const { status } = news;
  if (known === 'nobodys' || status === 'open') return true;
  const key = { merchant_id: known.merchant_id as string, id: known.id as string } satisfies RowKey;
  await changeDispute(services, tx, key, (dispute) => decideOutcome(dispute, status, now), now);
  return true;
}

/** States of an authorisation from which it may still become approved, or be known not to have been. */
const undecided = new Set<unknown>(['sending', 'unknown', 'reversing']);

/**
 * The dispute, which is stored with its event. It waits where nobody knows yet whether its payment was approved, and is
 * nobody's where it was not: what was reversed, and what others sent, must not keep all later news waiting.
 */
async function open(
  services: Services,
  tx: Db,
  source: NewsSource,
  news: DisputeNews,
  now: Micros,
): Promise<Row | 'waits' | 'nobodys'> {
  const attempt = await findAuthorisation(tx, news.attempt_id);
  const about = { ...source, attempt: news.attempt_id };
  if (undecided.has(attempt?.status)) {
    services.logger.warn(about, 'a dispute waits for its payment');
    return 'waits';
  }
  if (attempt?.status !== 'approved') {
    services.logger.error(about, 'a dispute is of no payment that was approved');
    return 'nobodys';
  }
  const dispute = openedDispute(source, news, attempt, now);
  await insertRows(tx, services.catalog, 'disputes', [dispute]);
  const model = services.models.get('disputes');
  await writeEvents(tx, services.catalog, [eventAbout(model, dispute, 'created', now)]);
  await entail(services, tx, dispute, now);
  return dispute;
}
