import type { DisputeNews, NewsResult } from '../../processors/disputes.ts';
import type { Processor } from '../../processors/processor.ts';
import { sendPlain } from '../../processors/send-plain.ts';
import type { Db } from '../../store/db.ts';
import { lockPosition, movePosition, type NewsSource, positionOf } from '../../store/disputes.ts';
import { decidedDisputes } from '../../store/waiting-disputes.ts';
import type { Services } from '../services.ts';
import { newsOf, storeNews } from './store-news.ts';

/** Reads what the processor of a mode tells of disputes, and stores it. Returns whether there was any. */
export async function readDisputeNews(
  services: Services,
  mode: 'live' | 'sandbox',
): Promise<boolean> {
  const processor = services.processorOf(mode);
  if (!processor) return false;
  const source: NewsSource = { processor: processor.metadata.name, mode };
  const stored = [
    await takeUpDecided(services, source),
    await readNew(services, processor, source),
  ].some(Boolean);
  if (stored) services.wake.deliver.raise();
  return stored;
}

/** Stores what had to wait for the outcomes of payments that have them now. */
async function takeUpDecided(services: Services, source: NewsSource): Promise<boolean> {
  const decided = await decidedDisputes(services.db, source);
  if (decided.length === 0) return false;
  return services.db.transaction(async (tx) => {
    if ((await lockPosition(tx, source)) === undefined) return false;
    for (const row of decided) await storeNews(services, tx, source, newsOf(row));
    return true;
  });
}

/** Stores news together with how far they were read, so that nothing is missed or stored twice. */
async function readNew(
  services: Services,
  processor: Processor,
  source: NewsSource,
): Promise<boolean> {
  const { after, answer } = await askForNews(services, processor, source);
  if (answer.result === 'unknown') {
    services.logger.warn({ ...source, why: answer.why }, 'what is told of disputes cannot be read');
  }
  if (answer.result !== 'news' || answer.news.length === 0) return false;
  return services.db.transaction(async (tx) => {
    const isStill = (await lockPosition(tx, source)) === after;
    if (isStill) await storeAll(services, tx, source, answer.news);
    return isStill;
  });
}

/** What is new after what was read. */
async function askForNews(
  { db }: Services,
  { disputes: { list } }: Processor,
  source: NewsSource,
): Promise<{ after: number; answer: NewsResult }> {
  const after = await positionOf(db, source);
  return { after, answer: list.mapAnswer(await sendPlain(list.mapRequest({ after }))) };
}

/** Whether the processor of a mode has told of disputes what is not stored yet, and can be. */
export async function hasDisputeNews(
  services: Services,
  mode: 'live' | 'sandbox',
): Promise<boolean> {
  const processor = services.processorOf(mode);
  if (!processor) return false;
  const source: NewsSource = { processor: processor.metadata.name, mode };
  if ((await decidedDisputes(services.db, source)).length > 0) return true;
  const { answer } = await askForNews(services, processor, source);
  return answer.result === 'news' && answer.news.length > 0;
}

async function storeAll(
  services: Services,
  tx: Db,
  source: NewsSource,
  news: readonly DisputeNews[],
): Promise<void> {
  for (const one of news) {
    await storeNews(services, tx, source, one);
    await movePosition(tx, source, one.position);
  }
}
