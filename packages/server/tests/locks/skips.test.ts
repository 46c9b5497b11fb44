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
import {
  claimEmails,
  pruneEmailsOfTimelines,
  pruneEmailsUntil,
} from '../../src/features/emails/sql.ts';
import { lockOverdueLinks } from '../../src/features/payment-links/sql.ts';
import { claimAccountEmails } from '../../src/features/people/sql/account-emails.ts';
import { pruneRequestsUntil } from '../../src/features/request-log/sql.ts';
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
import { lockDueReplay } from '../../src/features/webhooks/sql/replays.ts';
import { lockOfArchived, lockOfPaused } from '../../src/features/webhooks/sql/stops.ts';
import type { Db } from '../../src/platform/database/db.ts';
import { pruneKeys } from '../../src/platform/database/idempotency.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { lockFreeRows } from '../../src/platform/database/transition.ts';
import { pruneTries } from '../../src/platform/rates/shared-tries.ts';
import { claimDue, lockDue, lockOldest } from '../../src/platform/workers/claim.ts';
import { useLocks } from './use-locks.ts';

const locks = useLocks();

const PAST = '2026-01-01T00:00:00Z';
const NOW = '2026-02-01T00:00:00Z';
const LATER = '2026-03-01T00:00:00Z';
const CLAIM = { now: NOW, lease_until: LATER, limit: 10 };
const ALL = { limit: 10, each: 10, in_flight: new Map() };

/** A separate merchant for each case, so that cases never see each other's rows. */
const ownRow = () => ({ merchant_id: newId(), mode: 'sandbox' });
const dueRow = () => ({
  ...ownRow(),
  id: newId(),
  due_at: PAST,
  created_at: PAST,
  updated_at: PAST,
});

const paymentRow = (): Values => ({ ...dueRow(), status: 'pending' });
const letterRow = (): Values => ({ ...dueRow(), kind: 'receipt', status: 'pending' });

const record = (): Values => ({ ...ownRow(), id: newId(), created_at: PAST, updated_at: PAST });
const clockOf = ({ merchant_id, mode }: Values): Values => ({
  ...record(),
  merchant_id: merchant_id as string,
  mode: mode as string,
  status: 'ready',
});

const KEPT = { personal_until: PAST, cardless_until: PAST, until: PAST, limit: 10 };
const authenticationRow = (): Values => ({ ...record(), status: 'failed', created_at: PAST });

const PROGRESS = { processor: 'sandbox', mode: 'sandbox', day: '2026-01-01', part: '1' };

const deliveryOf = (status: string): [string, Values][] => {
  const subscription: Values = {
    ...record(),
    status,
    url: 'https://shop.example',
    events: '["*"]',
  };
  const delivery = {
    ...dueRow(),
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

interface Claim {
  /** The rows that the first actor finds, by table. */
  readonly rows: () => readonly (readonly [table: string, row: Values])[];
  /** Called with the first of these rows. */
  readonly act: (db: Db, row: Values) => Promise<unknown>;
}

/** Every statement that skips locked rows, by its file and function. */
const claims: Readonly<Record<string, Claim>> = {
  'claim.ts claimDue': {
    rows: () => [['payment_demands', paymentRow()]],
    act: (db) => claimDue(db, { ...CLAIM, table: 'payment_demands' }),
  },
  'claim.ts lockDue': {
    rows: () => [['payment_demands', paymentRow()]],
    act: (db) => lockDue(db, { ...ALL, table: 'payment_demands', now: NOW }),
  },
  'claim.ts lockOldest': {
    rows: () => [['payment_demands', paymentRow()]],
    act: (db) => lockOldest(db, { table: 'payment_demands', now: NOW, limit: 10 }),
  },
  'transition.ts lockFreeRows': {
    rows: () => [['payment_demands', paymentRow()]],
    act: async (db, row) => [...(await lockFreeRows(db, 'payment_demands', keysOf(row))).keys()],
  },
  'account-letters.ts claimAccountLetters': {
    rows: () => [['account_letters', { due_at: PAST, kind: 'verify_email' }]],
    act: (db) => claimAccountEmails(db, CLAIM),
  },
  'api-requests.ts pruneRequestsUntil': {
    rows: () => [['api_requests', { ...ownRow(), id: newId(), created_at: PAST }]],
    act: (db) => pruneRequestsUntil(db, NOW, 10),
  },
  'authentications.ts pruneAuthentications, what a cardholder left': {
    rows: () => [
      ['authentications', { ...authenticationRow(), created_at: NOW, payer_timezone: 'UTC' }],
    ],
    act: (db) => pruneAuthentications(db, { ...KEPT, personal_until: NOW }),
  },
  'authentications.ts pruneAuthentications, whole rows': {
    rows: () => [['authentications', authenticationRow()]],
    act: (db) => pruneAuthentications(db, { ...KEPT, until: NOW }),
  },
  'disputes.ts lockPosition': {
    rows: () => [['processor_news', { processor: 'sandbox', mode: 'sandbox', position: 7 }]],
    act: (db) => lockPosition(db, { processor: 'sandbox', mode: 'sandbox' }),
  },
  'idempotency.ts pruneKeys': {
    rows: () => [['idempotency_keys', { ...ownRow(), expires_at: PAST }]],
    act: (db) => pruneKeys(db, NOW, 10),
  },
  'letters.ts claimLetters': {
    rows: () => [['letters', letterRow()]],
    act: (db) => claimEmails(db, { ...CLAIM, mode: 'sandbox' }),
  },
  'letters.ts pruneLettersUntil': {
    rows: () => [['letters', { ...letterRow(), due_at: null }]],
    act: (db) => pruneEmailsUntil(db, NOW, 10),
  },
  'letters.ts pruneLettersAhead': {
    rows: () => {
      const old: Values = { ...letterRow(), due_at: null };
      return [
        ['letters', old],
        ['sandbox_clocks', { ...clockOf(old), ahead_seconds: 60 }],
      ];
    },
    act: (db) => pruneEmailsOfTimelines(db, NOW, 10),
  },
  'payment-links.ts lockOverdueLinks': {
    rows: () => [['payment_links', { ...record(), status: 'active', expires_at: PAST }]],
    act: (db) => lockOverdueLinks(db, NOW, 10),
  },
  'sandbox-clocks.ts leaseClocks': {
    rows: () => [['sandbox_clocks', { ...clockOf(record()), status: 'advancing' }]],
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
    act: (db) => claimReset(db, CLAIM),
  },
  'sandbox-rows.ts removePayments': {
    rows: () => [['payment_demands', { ...paymentRow(), status: 'failed', due_at: null }]],
    act: (db, row) => removePayments(db, removalOf(row), true),
  },
  'sandbox-rows.ts removeRecords': {
    rows: () => [['customers', record()]],
    act: (db, row) => removeRecords(db, removalOf(row)),
  },
  'sandbox-rows.ts removePayouts': {
    rows: () => [['payouts', record()]],
    act: (db, row) => removePayouts(db, removalOf(row)),
  },
  'sandbox-rows.ts emptyClocks': {
    rows: () => [['sandbox_clocks', clockOf(record())]],
    act: (db, row) => emptyClocks(db, removalOf(row)),
  },
  'settlements.ts lockProgress': {
    rows: () => [['settlement_progress', PROGRESS]],
    act: (db) => lockProgress(db, PROGRESS as Row),
  },
  'shared-tries.ts forgetTries': {
    rows: () => [['card_tries', { subject: newId(), expires_at: PAST }]],
    act: (db) => pruneTries(db, NOW, 10),
  },
  'webhook-attempts.ts pruneAttemptsUntil': {
    rows: () => [['webhook_delivery_attempts', { ...ownRow(), id: newId(), created_at: PAST }]],
    act: (db) => pruneAttemptsUntil(db, NOW, 10),
  },
  'webhook-claims.ts claimDeliveries': {
    rows: () => deliveryOf('active'),
    act: (db) =>
      claimDeliveries(db, {
        ...CLAIM,
        queue_limits: [],
        queue_limit: 10,
        merchant_limits: [],
        merchant_limit: 10,
      }),
  },
  'webhook-replays.ts lockDueReplay': {
    rows: () => [['webhook_replays', { ...record(), status: 'pending', due_at: PAST }]],
    act: (db) => lockDueReplay(db, NOW),
  },
  'webhook-stops.ts lockOfArchived': {
    rows: () => deliveryOf('archived'),
    act: (db) => lockOfArchived(db, { now: NOW, leases_end: LATER, limit: 10 }),
  },
  'webhook-stops.ts lockOfPaused': {
    rows: () => deliveryOf('paused'),
    act: (db) => lockOfPaused(db, { since: NOW, stored_max: 10, limit: 10 }),
  },
};

const isEmpty = (found: unknown): boolean => (Array.isArray(found) ? found.length === 0 : !found);

/** Inserts rows of several tables after emptying these. */
async function plantAll(rows: readonly (readonly [table: string, row: Values])[]) {
  await locks.empty(rows.map(([table]) => table));
  for (const [table, row] of rows) await locks.insertUnchecked(table, row);
  return rows as [[string, Values]];
}

/** The second actor's result, in a database whose statements may be changed. */
async function outcomeOf({ rows, act }: Claim, change = (db: Transactions<Db>) => db) {
  const [[, row]] = await plantAll(rows());
  const run = (db: Db) => act(db, row);
  const { first, second, waited } = await runConcurrently(change(locks.db), {
    first: run,
    second: run,
  });
  return { first: isEmpty(first), second: isEmpty(second), waited };
}

const LEFT_ALONE = { first: false, second: true, waited: false };

describe.each(Object.entries(claims))('%s', (_name, claim) => {
  it('skips what another worker holds, without waiting', async () => {
    expect(await outcomeOf(claim)).toEqual(LEFT_ALONE);
  });

  it('would not without its lock, or if it waited for locked rows', async () => {
    expect(await outcomeOf(claim, withoutLocks)).not.toEqual(LEFT_ALONE);
    expect(await outcomeOf(claim, withoutSkips)).not.toEqual(LEFT_ALONE);
  });
});
