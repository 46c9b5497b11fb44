import type { AlertMessage } from '@florin/contract/alert-messages/alert-messages.ts';
import { Counter, type Registry } from 'prom-client';
import { metricOptions } from '../../http/health/metrics.ts';
import { countTries } from '../../platform/rates/shared-tries.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { insertAlerts, newAlert } from '../records/alert.ts';
import { additionsOf, type RefusedTry } from './tries.ts';

/** Counts and reports refused card attempts: to `/metrics`, to the log and to the merchant's members. */
export function createRefusalReport(
  { db, catalog, clock, system_clock, logger }: Services,
  metrics: Registry,
): (refusal: RefusedTry) => Promise<void> {
  const refusals = new Counter({
    ...metricOptions('florin_card_attempts_refused_total'),
    registers: [metrics],
  });
  return async (refusal) => {
    const { session, limit, alerts } = refusal;
    const { scope, token_id } = session;
    refusals.inc({ mode: scope.mode, limit });
    if (!alerts) return;
    logger.warn({ ...scope, holder: token_id, limit }, 'card testing suspected');
    const now = clock.now();
    const alert = newAlert({ ...scope }, now, { message: messageOf(refusal) });
    await db.transaction(async (tx) => {
      const told = await countTries(tx, additionsOf([[alerts, 1]], now), instantText(now));
      if (told.get(alerts.subject)?.tries === 1)
        await insertAlerts(tx, catalog, [alert], system_clock.now());
    });
  };
}

const messageOf = ({ session: { token_id }, until }: RefusedTry): AlertMessage => ({
  code: 'card_testing',
  parameters: { token: token_id, until: instantText(until) },
});
