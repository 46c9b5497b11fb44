import type { RequestContext } from '../../jsonapi/behaviour.ts';
import { requireMatch } from '../../jsonapi/etag.ts';
import { notFound } from '../../jsonapi/problems.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyText } from '../../platform/database/row-key.ts';
import { lockRows } from '../../platform/database/transition.ts';
import { writeEventTo } from '../../platform/outbox/events.ts';
import { createQuota, type Quota, type QuotaPolicy } from '../../platform/rates/quota.ts';
import { requireQuota } from '../../platform/rates/require-quota.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { eventAbout } from '../records/emit.ts';
import { storeKeys } from '../records/keys.ts';
import { reopenEndpoint } from './endpoints.ts';
import { requireState } from './rules.ts';

/**
 * Rate limit of tests per subscription and process: enough for people, too low to flood an
 * endpoint.
 */
export const TESTS: QuotaPolicy = { requests: 5, seconds: 60 };

type Test = (ctx: RequestContext, id: string) => Promise<Row>;

/** Emits a test event for one subscription, in the same transaction as its delivery. */
export function createTest(services: Services): Test {
  const quota = createQuota({ ...TESTS, monotonic_ms: services.config.monotonic_ms });
  return async (ctx, id) => {
    const row = await storeTest(services, quota, ctx, id);
    services.wake.deliver.raise();
    return row;
  };
}

const storeTest = (
  { db, catalog, clock, models }: Services,
  quota: Quota,
  { scope, if_match, idempotency }: RequestContext,
  id: string,
): Promise<Row> =>
  db.transaction(async (tx) => {
    const now = clock.now();
    const key = { merchant_id: scope.merchant_id, id };
    const row = (await lockRows(tx, 'webhook_subscriptions', [key])).get(keyText(key));
    if (row?.mode !== scope.mode) throw notFound();
    requireMatch(if_match, row);
    requireState(row, 'test');
    const [storedKey] = await storeKeys(
      tx,
      catalog,
      [{ id, idempotency }],
      [row],
      instantText(now),
    );
    if (storedKey instanceof Error) throw storedKey;
    requireQuota(quota, keyText(key), tooOften, {
      quota: TESTS.requests,
      window_seconds: TESTS.seconds,
    });
    const [reopenedRow] = await reopenEndpoint(tx, { catalog, now }, [key]);
    const testedRow = reopenedRow ?? row;
    const event = eventAbout(models.get('webhook_subscriptions'), testedRow, 'tested', now);
    await writeEventTo(tx, catalog, event, id);
    return testedRow;
  });

const tooOften = (waitSeconds: number): string =>
  `A webhook subscription can be tested ${TESTS.requests} times in ${TESTS.seconds} s. Try again in ${waitSeconds} s.`;
