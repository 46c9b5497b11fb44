import type { Catalog } from '../../platform/database/catalog.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyText, type RowKey } from '../../platform/database/row-key.ts';
import { transition } from '../../platform/database/transition.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import { insertAlerts } from '../records/alert.ts';
import { FAILING_S, writeNotifiableChanges } from '../records/notifiable-changes.ts';
import { pausedAlert } from './alerts.ts';
import { decideEndpoint, type Finding, REOPENED } from './breaker.ts';
import { lockEndpoints, lockSuspended } from './sql/claims.ts';

/** Result of an attempt, with the subscription whose endpoint it concerns. */
export interface EndpointFinding extends Finding {
  readonly subscription: RowKey;
}

export interface EndpointOptions {
  readonly catalog: Catalog;
  readonly now: Micros;
  /** Time of the system clock, by which members are notified. */
  readonly system_now: Micros;
  /** Factor that multiplies suspensions. */
  readonly scale: number;
}

/** Key of a delivery's subscription. */
export const endpointOf = (delivery: Row): RowKey => ({
  merchant_id: delivery.merchant_id as string,
  id: delivery.webhook_subscription_id as string,
});

/** State of endpoints after their attempts were recorded. */
interface Endpoints {
  /** Keys of suspended subscriptions. */
  readonly suspended: ReadonlySet<string>;
  /** Whether a suspension has ended. */
  readonly reopened: boolean;
}

/**
 * Stores what attempts showed about endpoints. Runs in the transaction that records the attempts
 * and has locked their deliveries. Does not write endpoints that stay healthy.
 */
export async function recordFindings(
  tx: Db,
  { catalog, now, system_now, scale }: EndpointOptions,
  findings: readonly EndpointFinding[],
): Promise<Endpoints> {
  if (findings.length === 0) return { suspended: new Set(), reopened: false };
  const byEndpoint = Map.groupBy(findings, ({ subscription }) => keyText(subscription));
  const endpointKeys = [...byEndpoint.values()].map(
    ([first]) => (first as EndpointFinding).subscription,
  );
  const unaccepted = endpointKeys.filter((key) =>
    byEndpoint.get(keyText(key))?.some(({ health }) => health !== 'accepting'),
  );
  const lockedRows = await lockEndpoints(tx, endpointKeys, unaccepted);
  const changes = lockedRows.flatMap((subscription) => {
    const change = decideEndpoint(
      subscription,
      byEndpoint.get(keyText(subscription)) ?? [],
      now,
      scale,
    );
    return change ? [{ before: subscription, ...change, internal: true }] : [];
  });
  const at = instantText(now);
  const options = { table: 'webhook_subscriptions', at };
  const changedRows = await transition(tx, catalog, options, changes);
  const alerts = changes.flatMap(({ before, trigger, set }) =>
    trigger === 'pause' ? [pausedAlert({ ...before, ...set }, now)] : [],
  );
  await insertAlerts(tx, catalog, alerts, system_now);
  const failing = changes.filter(({ before, set }) => !before.failing_since && set.failing_since);
  await writeNotifiableChanges(
    tx,
    system_now,
    failing.map(({ before }) => ({ kind: 'webhook_failing', record: before, wait_s: FAILING_S })),
  );
  const rowsByKey = new Map([...lockedRows, ...changedRows].map((row) => [keyText(row), row]));
  const suspended = [...rowsByKey].filter(([, row]) => row.suspended_until).map(([key]) => key);
  return {
    suspended: new Set(suspended),
    reopened: changes.some(({ before, set }) => before.suspended_until && !set.suspended_until),
  };
}

/**
 * Ends suspensions of subscriptions with manual deliveries, in the same transaction, which has
 * locked the deliveries. Returns the changed subscriptions.
 */
export async function reopenEndpoint(
  tx: Db,
  { catalog, now }: Pick<EndpointOptions, 'catalog' | 'now'>,
  subscriptions: readonly RowKey[],
): Promise<Row[]> {
  const suspended = await lockSuspended(tx, subscriptions);
  const options = { table: 'webhook_subscriptions', at: instantText(now) };
  const changes = suspended.map((subscription) => ({
    before: subscription,
    set: REOPENED,
    internal: true,
  }));
  return transition(tx, catalog, options, changes);
}
