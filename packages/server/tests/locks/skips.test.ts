import { newId, type Values } from '@florin/dev-env/insert-unchecked.ts';
import {
  runConcurrently,
  type Transactions,
  withoutLocks,
  withoutSkips,
} from '@florin/dev-env/two-actors.ts';
import { describe, expect, it } from 'vitest';
import { pruneAuthentications } from '../../src/features/checkout/threeds/sql.ts';
import { lockPosition } from '../../src/features/disputes/sql/disputes.ts';
import { claimFailures } from '../../src/features/documents/sql.ts';
import {
  claimEmails,
  lockDueEmails,
  pruneEmailsOfTimelines,
  pruneEmailsUntil,
} from '../../src/features/emails/sql.ts';
import { lockDueChange } from '../../src/features/member-notifications/sql/changes.ts';
import { lockOverdueLinks } from '../../src/features/payment-links/sql.ts';
import { claimAccountEmails } from '../../src/features/people/sql/account-emails.ts';
import { claimNotifications } from '../../src/features/processor-notifications/sql/notifications.ts';
import { pruneRequestsUntil } from '../../src/features/request-log/sql.ts';
import { removeDocumentCounters } from '../../src/features/sandbox/sql/document-counters.ts';
import { claimReset } from '../../src/features/sandbox/sql/sandbox-resets.ts';
import {
  emptyClocks,
  removePayments,
  removePayouts,
  removeRecords,
} from '../../src/features/sandbox/sql/sandbox-rows.ts';
import { lockProgress } from '../../src/features/settlement/sql.ts';
import { leaseClocks } from '../../src/features/timelines/sql/sandbox-clocks.ts';
import { pruneAttemptsUntil } from '../../src/features/webhooks/sql/attempts.ts';
import { claimDeliveries } from '../../src/features/webhooks/sql/claims.ts';
import {
  lockEndedDeliveries,
  lockOldEvents,
} from '../../src/features/webhooks/sql/event-pruning.ts';
import { lockDueReplay } from '../../src/features/webhooks/sql/replays.ts';
import { lockOfArchived, lockOfPaused } from '../../src/features/webhooks/sql/stops.ts';
import type { Db } from '../../src/platform/database/db.ts';
import { pruneKeys } from '../../src/platform/database/idempotency.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { lockFreeRows, lockRows } from '../../src/platform/database/transition.ts';
import { pruneTries } from '../../src/platform/rates/shared-tries.ts';
import { claimDue, lockDue, lockOldest } from '../../src/platform/workers/claim.ts';
import { useLockTestDatabase } from './use-locks.ts';

const database = useLockTestDatabase();

const PAST = '2026-01-01T00:00:00Z';
const NOW = '2026-02-01T00:00:00Z';
const LEASE_END = '2026-03-01T00:00:00Z';
const CLAIM_OPTIONS = { now: NOW, lease_until: LEASE_END, limit: 10 };
const LOCK_LIMITS = { limit: 10, per_merchant: 10, in_flight: new Map() };

/** A separate merchant for each case, so that cases never see each other's rows. */
const newScope = () => ({ merchant_id: newId(), mode: 'sandbox' });
const newDueRow = () => ({
  ...newScope(),
  id: newId(),
  due_at: PAST,
  created_at: PAST,
  updated_at: PAST,
});

const newPayment = (): Values => ({ ...newDueRow(), status: 'pending' });
const newEmail = (): Values => ({ ...newDueRow(), kind: 'receipt', status: 'pending' });

const newRecord = (): Values => ({
  ...newScope(),
  id: newId(),
  created_at: PAST,
  updated_at: PAST,
});
const newClockFor = ({ merchant_id, mode }: Values): Values => ({
  ...newRecord(),
  merchant_id: merchant_id as string,
  mode: mode as string,
  status: 'ready',
});

const RETENTION = {
  personal_until: PAST,
  counters_until: PAST,
  cardless_until: PAST,
  until: PAST,
  limit: 10,
};
const newAuthentication = (): Values => ({ ...newRecord(), status: 'failed', created_at: PAST });

const PROGRESS = { processor: 'sandbox', mode: 'sandbox', day: '2026-01-01', part: '1' };

const newDeliveryRows = (subscriptionStatus: string): [string, Values][] => {
  const subscription: Values = {
    ...newRecord(),
    status: subscriptionStatus,
    url: 'https://shop.example',
    events: '["*"]',
  };
  const delivery = {
    ...newDueRow(),
    merchant_id: subscription.merchant_id as string,
    status: 'pending',
  };
  return [
    ['webhook_deliveries', { ...delivery, webhook_subscription_id: subscription.id as string }],
    ['webhook_subscriptions', subscription],
  ];
};

const keyOf = ({ merchant_id, id }: Values) =>
  ({ merchant_id, id }) as { merchant_id: string; id: string };
const keysOf = (row: Values) => [keyOf(row)];
const removalOf = ({ merchant_id }: Values) => ({ merchant_id: merchant_id as string, limit: 10 });

interface SkipCase {
  /** The rows that the first actor finds, by table. */
  readonly rows: () => readonly (readonly [table: string, row: Values])[];
  /** Called with the first of these rows. */
  readonly act: (db: Db, row: Values) => Promise<unknown>;
}

/** Every statement that skips locked rows, by its file and function. */
const skipCases: Readonly<Record<string, SkipCase>> = {
  'claim.ts claimDue': {
    rows: () => [['payment_demands', newPayment()]],
    act: (db) => claimDue(db, { ...CLAIM_OPTIONS, table: 'payment_demands' }),
  },
  'claim.ts lockDue': {
    rows: () => [['payment_demands', newPayment()]],
    act: (db) => lockDue(db, { ...LOCK_LIMITS, table: 'payment_demands', now: NOW }),
  },
  'claim.ts lockOldest': {
    rows: () => [['payment_demands', newPayment()]],
    act: (db) => lockOldest(db, { table: 'payment_demands', now: NOW, limit: 10 }),
  },
  'transition.ts lockFreeRows': {
    rows: () => [['payment_demands', newPayment()]],
    act: async (db, row) => [...(await lockFreeRows(db, 'payment_demands', keysOf(row))).keys()],
  },
  'documents/sql.ts claimFailures': {
    rows: () => [
      [
        'document_failures',
        { ...newScope(), kind: 'captured', subject_id: newId(), attempts: 1, due_at: PAST },
      ],
    ],
    act: (db) => claimFailures(db, NOW, 10),
  },
  'document-counters.ts removeDocumentCounters': {
    rows: () => [['document_counters', { ...newScope(), kind: 'invoice', last_number: 1 }]],
    act: (db, { merchant_id }) => removeDocumentCounters(db, merchant_id as string),
  },
  'account-emails.ts claimAccountEmails': {
    rows: () => [['account_letters', { due_at: PAST, kind: 'verify_email' }]],
    act: (db) => claimAccountEmails(db, CLAIM_OPTIONS),
  },
  'member-notifications/sql/changes.ts lockDueChange': {
    rows: () => [['notifiable_changes', { ...newDueRow(), kind: 'dispute_opened' }]],
    act: async (db) => [await lockDueChange(db, NOW)].filter((row) => row !== undefined),
  },
  'processor-notifications/sql/notifications.ts claimNotifications': {
    rows: () => [['processor_notifications', { id: newId(), mode: 'live', due_at: PAST }]],
    act: (db) => claimNotifications(db, CLAIM_OPTIONS),
  },
  'request-log/sql.ts pruneRequestsUntil': {
    rows: () => [['api_requests', { ...newScope(), id: newId(), created_at: PAST }]],
    act: (db) => pruneRequestsUntil(db, NOW, 10),
  },
  'threeds/sql.ts pruneAuthentications, personal data': {
    rows: () => [
      ['authentications', { ...newAuthentication(), created_at: NOW, payer_timezone: 'UTC' }],
    ],
    act: (db) => pruneAuthentications(db, { ...RETENTION, personal_until: NOW }),
  },
  'threeds/sql.ts pruneAuthentications, counters': {
    rows: () => [
      [
        'authentications',
        { ...newAuthentication(), created_at: NOW, asked_at: PAST, try_counters: '[]' },
      ],
    ],
    act: (db) => pruneAuthentications(db, { ...RETENTION, counters_until: NOW }),
  },
  'threeds/sql.ts pruneAuthentications, whole rows': {
    rows: () => [['authentications', newAuthentication()]],
    act: (db) => pruneAuthentications(db, { ...RETENTION, until: NOW }),
  },
  'disputes.ts lockPosition': {
    rows: () => [['processor_news', { processor: 'sandbox', mode: 'sandbox', position: 7 }]],
    act: (db) => lockPosition(db, { processor: 'sandbox', mode: 'sandbox' }),
  },
  'idempotency.ts pruneKeys': {
    rows: () => [['idempotency_keys', { ...newScope(), expires_at: PAST }]],
    act: (db) => pruneKeys(db, NOW, 10),
  },
  'emails/sql.ts claimEmails': {
    rows: () => [['letters', newEmail()]],
    act: (db) => claimEmails(db, { ...CLAIM_OPTIONS, mode: 'sandbox' }),
  },
  'emails/sql.ts lockDueEmails': {
    rows: () => [['letters', newEmail()]],
    act: (db) => lockDueEmails(db, { now: NOW, limit: 10, mode: 'sandbox' }),
  },
  'emails/sql.ts pruneEmailsUntil': {
    rows: () => [['letters', { ...newEmail(), due_at: null }]],
    act: (db) => pruneEmailsUntil(db, NOW, 10),
  },
  'emails/sql.ts pruneEmailsOfTimelines': {
    rows: () => {
      const email: Values = { ...newEmail(), due_at: null };
      return [
        ['letters', email],
        ['sandbox_clocks', { ...newClockFor(email), ahead_seconds: 60 }],
      ];
    },
    act: (db) => pruneEmailsOfTimelines(db, NOW, 10),
  },
  'payment-links/sql.ts lockOverdueLinks': {
    rows: () => [['payment_links', { ...newRecord(), status: 'active', expires_at: PAST }]],
    act: (db) => lockOverdueLinks(db, NOW, 10),
  },
  'sandbox-clocks.ts leaseClocks': {
    rows: () => [['sandbox_clocks', { ...newClockFor(newRecord()), status: 'advancing' }]],
    act: (db, row) =>
      leaseClocks(db, {
        holder: newId(),
        lease_seconds: 60,
        now: NOW,
        limit: 10,
        keys: keysOf(row),
      }),
  },
  'sandbox-resets.ts claimReset': {
    rows: () => [['sandbox_resets', { merchant_id: newId(), due_at: PAST }]],
    act: (db) => claimReset(db, CLAIM_OPTIONS),
  },
  'sandbox-rows.ts removePayments': {
    rows: () => [['payment_demands', { ...newPayment(), status: 'failed', due_at: null }]],
    act: (db, row) => removePayments(db, removalOf(row), true),
  },
  'sandbox-rows.ts removeRecords': {
    rows: () => [['customers', newRecord()]],
    act: (db, row) => removeRecords(db, removalOf(row)),
  },
  'sandbox-rows.ts removePayouts': {
    rows: () => [['payouts', newRecord()]],
    act: (db, row) => removePayouts(db, removalOf(row)),
  },
  'sandbox-rows.ts emptyClocks': {
    rows: () => [['sandbox_clocks', newClockFor(newRecord())]],
    act: (db, row) => emptyClocks(db, removalOf(row)),
  },
  'settlement/sql.ts lockProgress': {
    rows: () => [['settlement_progress', PROGRESS]],
    act: (db) => lockProgress(db, PROGRESS as Row),
  },
  'shared-tries.ts pruneTries': {
    rows: () => [['card_tries', { subject: newId(), expires_at: PAST }]],
    act: (db) => pruneTries(db, NOW, 10),
  },
  'webhooks/sql/attempts.ts pruneAttemptsUntil': {
    rows: () => [['webhook_delivery_attempts', { ...newScope(), id: newId(), created_at: PAST }]],
    act: (db) => pruneAttemptsUntil(db, NOW, 10),
  },
  'webhooks/sql/claims.ts claimDeliveries': {
    rows: () => newDeliveryRows('active'),
    act: (db) =>
      claimDeliveries(db, {
        ...CLAIM_OPTIONS,
        queue_limits: [],
        queue_limit: 10,
        merchant_limits: [],
        merchant_limit: 10,
      }),
  },
  'webhooks/sql/event-pruning.ts lockOldEvents': {
    rows: () => {
      const event = { ...newScope(), id: newId(), created_at: PAST, recorded_at: PAST };
      const merchant = { id: event.merchant_id, created_at: PAST, updated_at: PAST };
      return [
        ['events', event],
        ['merchants', merchant],
      ];
    },
    act: (db, { merchant_id }) =>
      lockOldEvents(db, {
        after: '00000000-0000-0000-0000-000000000000',
        through: merchant_id as string,
        until: NOW,
        changed_until: NOW,
        limit: 10,
      }),
  },
  'webhooks/sql/event-pruning.ts lockEndedDeliveries': {
    rows: () => [
      ['webhook_deliveries', { ...newRecord(), event_id: newId(), status: 'delivered' }],
    ],
    act: (db, { merchant_id, event_id }) =>
      lockEndedDeliveries(db, [{ merchant_id: merchant_id as string, id: event_id as string }]),
  },
  'webhooks/sql/replays.ts lockDueReplay': {
    rows: () => [['webhook_replays', { ...newRecord(), status: 'pending', due_at: PAST }]],
    act: (db) => lockDueReplay(db, NOW),
  },
  'webhooks/sql/stops.ts lockOfArchived': {
    rows: () => newDeliveryRows('archived'),
    act: (db) => lockOfArchived(db, { now: NOW, leases_end: LEASE_END, limit: 10 }),
  },
  'webhooks/sql/stops.ts lockOfPaused': {
    rows: () => newDeliveryRows('paused'),
    act: (db, { merchant_id, webhook_subscription_id }) =>
      lockOfPaused(db, {
        merchant_id: merchant_id as string,
        id: webhook_subscription_id as string,
        since: NOW,
        stored_max: 10,
        limit: 10,
      }),
  },
};

const isEmpty = (result: unknown): boolean =>
  Array.isArray(result) ? result.length === 0 : !result;

/** Inserts rows of several tables after emptying these. */
async function replaceRows(rows: readonly (readonly [table: string, row: Values])[]) {
  await database.empty(rows.map(([table]) => table));
  for (const [table, row] of rows) await database.insertUnchecked(table, row);
  return rows as [[string, Values]];
}

/** Whether each actor found no row, and whether one waited. `changeDb` may remove locks or skips. */
async function outcomeOf({ rows, act }: SkipCase, changeDb = (db: Transactions<Db>) => db) {
  const [[, row]] = await replaceRows(rows());
  const run = (db: Db) => act(db, row);
  const { first, second, waited } = await runConcurrently(changeDb(database.db), {
    first: run,
    second: run,
  });
  return { first: isEmpty(first), second: isEmpty(second), waited };
}

const SECOND_FINDS_NOTHING = { first: false, second: true, waited: false };

describe('a reset', () => {
  const removedBeside = async (changeDb = (db: Transactions<Db>) => db) => {
    const payment = { ...newPayment(), status: 'failed', due_at: null };
    await replaceRows([['payment_demands', payment]]);
    const { second } = await runConcurrently(changeDb(database.db), {
      first: (tx) => lockRows(tx, 'payment_demands', [keyOf(payment)], 'keep'),
      second: (tx) => removePayments(tx, removalOf(payment), true),
    });
    return second;
  };

  it('leaves a payment that another transaction keeps, and removes it without that lock', async () => {
    expect(await removedBeside()).toBe(0);
    expect(await removedBeside(withoutLocks)).toBe(1);
  });
});

describe.each(Object.entries(skipCases))('%s', (_name, skipCase) => {
  it('skips rows that another worker has locked, without waiting', async () => {
    expect(await outcomeOf(skipCase)).toEqual(SECOND_FINDS_NOTHING);
  });

  it('would not without its lock, or if it waited for locked rows', async () => {
    expect(await outcomeOf(skipCase, withoutLocks)).not.toEqual(SECOND_FINDS_NOTHING);
    expect(await outcomeOf(skipCase, withoutSkips)).not.toEqual(SECOND_FINDS_NOTHING);
  });
});
