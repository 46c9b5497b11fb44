import { randomBytes, randomUUID } from 'node:crypto';
import { type ClonedDatabase, cloneDatabase } from '@florin/dev-env/databases.ts';
import { insertUnchecked } from '@florin/dev-env/insert-unchecked.ts';
import { runConcurrently } from '@florin/dev-env/two-actors.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type DispatchServices,
  dispatchNext,
} from '../../src/features/member-notifications/dispatch.ts';
import { HOURLY_MAX } from '../../src/features/member-notifications/hourly-limits.ts';
import {
  NOTIFICATION_DAYS,
  pruneMemberNotifications,
} from '../../src/features/member-notifications/prune.ts';
import { lockDueChange } from '../../src/features/member-notifications/sql/changes.ts';
import { draftNotification } from '../../src/features/people/emails/notifications/draft.ts';
import {
  type NotifiableChange,
  writeNotifiableChanges,
} from '../../src/features/records/notifiable-changes.ts';
import { createSigner } from '../../src/platform/crypto/signer.ts';
import { type Database, type Db, openDatabase } from '../../src/platform/database/db.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { type Clock, instantText, seconds, systemClock } from '../../src/platform/time/clock.ts';
import { createSignal } from '../../src/platform/workers/signal.ts';

const clock = systemClock();
let database: ClonedDatabase;
let db: Database;

beforeAll(async () => {
  database = await cloneDatabase();
  db = openDatabase({ url: database.url, connections_max: 8 });
});
afterAll(async () => {
  await db?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
});

const servicesAt = (system_clock: Clock = clock): DispatchServices => ({
  db,
  system_clock,
  logger: createLogger('silent'),
  access_signer: createSigner(randomBytes(32)),
  wake: { account_emails: createSignal() },
});

/** A merchant with members who have all permissions. */
async function makeMerchant(membersCount = 1): Promise<string> {
  const merchant_id = randomUUID();
  const at = instantText(clock.now());
  await db.query(
    'insert into merchants (id, business_name, created_at, updated_at) values ($1, $2, $3, $3)',
    [merchant_id, 'Roses', at],
  );
  for (let count = 0; count < membersCount; count += 1) {
    const account_id = randomUUID();
    await insertUnchecked(database.adminUrl, 'accounts', {
      id: account_id,
      email: `${account_id}@example.com`,
      account_status: 'active',
    });
    await insertUnchecked(database.adminUrl, 'memberships', {
      merchant_id,
      id: randomUUID(),
      account_id,
      opener: true,
      permissions: '[]',
      accepted_at: at,
    });
  }
  return merchant_id;
}

/** Stores disputes of a merchant, and that its members are to be notified. */
async function openDisputes(merchant_id: string, count = 1): Promise<Row[]> {
  const disputes = Array.from({ length: count }, () => ({
    merchant_id,
    mode: 'live',
    id: randomUUID(),
    status: 'needs_response',
    reason: 'fraudulent',
    amount_cents: '2500',
    amount_currency: 'USD',
  }));
  await insertUnchecked(database.adminUrl, 'disputes', ...disputes);
  await writeChanges(db, disputes);
  return disputes;
}

const writeChanges = (
  tx: Db,
  records: readonly Row[],
  { kind = 'dispute_opened', wait_s = 0 }: Partial<NotifiableChange> = {},
): Promise<void> =>
  writeNotifiableChanges(
    tx,
    clock.now(),
    records.map((record) => ({ kind, record, wait_s })),
  );

const servicesIn = (seconds_later: number): DispatchServices =>
  servicesAt({ ...clock, now: () => clock.now() + seconds(seconds_later) });

async function dispatchAll(services: DispatchServices): Promise<void> {
  while (await dispatchNext(services));
}

const notificationsOf = (merchant_id: string): Promise<Row[]> =>
  db.query(
    `select membership_id, record_id, kind, facts, more_count, read_at from member_notifications
     where merchant_id = $1 order by created_at, id`,
    [merchant_id],
  );

/** Emails about a merchant's notifications, oldest first. */
const emailsOf = async (merchant_id: string): Promise<{ to: string; is_last: string }[]> => {
  const rows = await db.query(
    `select to_email, facts from account_letters
     where kind = 'member_notification' and facts->>'notification' like '%' || $1 || '%'
     order by created_at, id`,
    [merchant_id],
  );
  return rows.map(({ to_email, facts }) => ({
    to: to_email as string,
    is_last: JSON.parse(facts as string).is_last,
  }));
};

const pendingOf = (merchant_id: string): Promise<Row[]> =>
  db.query('select id from notifiable_changes where merchant_id = $1', [merchant_id]);

describe('members', () => {
  it('get each change once from four workers', async () => {
    const merchant_id = await makeMerchant(3);
    const disputes = await openDisputes(merchant_id, 8);
    const services = servicesAt();
    await Promise.all(Array.from({ length: 4 }, () => dispatchAll(services)));
    const notifications = await notificationsOf(merchant_id);
    const pairs = notifications.map((one) => `${one.membership_id} ${one.record_id}`);
    expect(new Set(pairs).size).toBe(3 * disputes.length);
    expect(pairs).toHaveLength(3 * disputes.length);
    expect(await pendingOf(merchant_id)).toEqual([]);
    const perMember = Map.groupBy(await emailsOf(merchant_id), ({ to }) => to);
    expect([...perMember.values()].map(({ length }) => length)).toEqual(
      Array.from({ length: 3 }, () => HOURLY_MAX.email),
    );
  });

  it('get a change once after the process dies before the commit', async () => {
    const merchant_id = await makeMerchant();
    await openDisputes(merchant_id);
    const dying = { ...servicesAt(), db: dyingBeforeCommit(db) };
    await expect(dispatchNext(dying)).rejects.toThrow('the process ends');
    expect([(await pendingOf(merchant_id)).length, await notificationsOf(merchant_id)]).toEqual([
      1,
      [],
    ]);
    await dispatchAll(servicesAt());
    expect(await notificationsOf(merchant_id)).toHaveLength(1);
    expect(await emailsOf(merchant_id)).toHaveLength(1);
  });

  it('get one of two changes that are written at the same time', async () => {
    const merchant_id = await makeMerchant();
    const [dispute] = (await openDisputes(merchant_id)) as [Row];
    await Promise.all([writeChanges(db, [dispute]), writeChanges(db, [dispute])]);
    await dispatchAll(servicesAt());
    expect(await notificationsOf(merchant_id)).toHaveLength(1);
  });

  it('get one of two changes of a record in a transaction', async () => {
    const merchant_id = await makeMerchant();
    const [dispute] = (await openDisputes(merchant_id)) as [Row];
    await writeChanges(db, [dispute, dispute]);
    expect(await pendingOf(merchant_id)).toHaveLength(1);
    await dispatchAll(servicesAt());
  });

  it('get a change later if a worker has read its record: the writer waits for the worker', async () => {
    const merchant_id = await makeMerchant();
    const [dispute] = (await openDisputes(merchant_id)) as [Row];
    const { waited } = await runConcurrently(db, {
      first: (tx) => lockDueChange(tx, instantText(clock.now())),
      second: (tx) => writeChanges(tx, [dispute]),
    });
    expect(waited).toBe(true);
    await dispatchAll(servicesAt());
  });

  it('get a change that is written while a worker gives them an earlier one', async () => {
    const merchant_id = await makeMerchant();
    const [dispute] = (await openDisputes(merchant_id)) as [Row];
    const { first, waited } = await runConcurrently(db, {
      first: (tx) => dispatchNext(servicesWithin(tx)),
      second: (tx) => writeChanges(tx, [dispute]),
    });
    expect([first, waited, (await pendingOf(merchant_id)).length]).toEqual([true, true, 1]);
    await dispatchAll(servicesAt());
    expect(await notificationsOf(merchant_id)).toHaveLength(2);
  });

  it('get the record as a change leaves it that is not yet committed', async () => {
    const merchant_id = await makeMerchant();
    const [dispute] = (await openDisputes(merchant_id)) as [Row];
    await dispatchAll(servicesAt());
    const decide = async (tx: Db, status: string) => {
      await tx.query('update disputes set status = $2 where id = $1', [dispute.id, status]);
      await writeChanges(tx, [dispute], { kind: 'dispute_decided' });
    };
    await decide(db, 'won');
    const { second, waited } = await runConcurrently(db, {
      first: (tx) => decide(tx, 'lost'),
      second: (tx) => dispatchNext(servicesWithin(tx)),
    });
    expect([second, waited]).toEqual([false, false]);
    await dispatchAll(servicesAt());
    const [, decided] = await notificationsOf(merchant_id);
    expect(JSON.parse(decided?.facts as string)).toMatchObject({ status: 'lost' });
  });

  it('get a reminder as their newest notification, although it was written before others', async () => {
    const merchant_id = await makeMerchant();
    const disputes = await openDisputes(merchant_id);
    await writeChanges(db, disputes, { kind: 'evidence_due', wait_s: 3_600 });
    await openDisputes(merchant_id);
    await dispatchAll(servicesIn(3_000));
    await dispatchAll(servicesIn(3_700));
    const kinds = (await notificationsOf(merchant_id)).map(({ kind }) => kind);
    expect(kinds).toEqual(['dispute_opened', 'dispute_opened', 'evidence_due']);
  });

  it('get at most a limit of a kind per hour, and how many more there were', async () => {
    const merchant_id = await makeMerchant();
    await openDisputes(merchant_id, HOURLY_MAX.app + 3);
    const services = servicesAt();
    await Promise.all([dispatchAll(services), dispatchAll(services)]);
    const notifications = await notificationsOf(merchant_id);
    expect(notifications).toHaveLength(HOURLY_MAX.app);
    const moreCounts = notifications.map(({ more_count }) => Number(more_count));
    expect(Math.max(...moreCounts)).toBe(3);
    const emails = await emailsOf(merchant_id);
    expect(emails.map(({ is_last }) => is_last)).toEqual([
      ...Array.from({ length: HOURLY_MAX.email - 1 }, () => 'false'),
      'true',
    ]);

    await openDisputes(merchant_id);
    const later = { ...clock, now: () => clock.now() + seconds(3_601) };
    await dispatchAll({ ...services, system_clock: later });
    expect(await notificationsOf(merchant_id)).toHaveLength(HOURLY_MAX.app + 1);
  });

  it('get nothing about a record that a reset has removed', async () => {
    const merchant_id = await makeMerchant();
    await writeChanges(db, [{ merchant_id, mode: 'sandbox', id: randomUUID() }]);
    await dispatchAll(servicesAt());
    expect([await notificationsOf(merchant_id), await pendingOf(merchant_id)]).toEqual([[], []]);
  });

  it('get later changes although one cannot be given to them', async () => {
    const merchant_id = await makeMerchant();
    const [broken] = (await openDisputes(merchant_id)) as [Row];
    await db.query(
      `update notifiable_changes set kind = 'unknown', due_at = '2020-01-01' where record_id = $1`,
      [broken.id],
    );
    const [next] = (await openDisputes(merchant_id)) as [Row];
    await dispatchAll(servicesAt());
    const records = (await notificationsOf(merchant_id)).map(({ record_id }) => record_id);
    expect(records).toEqual([next.id]);
    expect(await pendingOf(merchant_id)).toHaveLength(1);
    await db.query('delete from notifiable_changes where merchant_id = $1', [merchant_id]);
  });
});

it('an email is not sent to a member who has lost the permission, has another address, or has left', async () => {
  const merchant_id = await makeMerchant();
  await openDisputes(merchant_id);
  await dispatchAll(servicesAt());
  const [email] = await db.query(
    `select * from account_letters where facts->>'notification' like '%' || $1 || '%'`,
    [merchant_id],
  );
  const draft = async () =>
    (await draftNotification(db, 'https://florin.example', email as Row))?.subject;
  expect(await draft()).toContain('Roses: a payer disputes $25.00');
  const changeMember = (set: string) =>
    db.query(`update memberships set ${set} where merchant_id = $1`, [merchant_id]);
  await changeMember('opener = false');
  expect(await draft()).toBe(undefined);
  await changeMember('opener = true');
  await db.query('update accounts set email = $2 where email = $1', [
    email?.to_email,
    'new@x.example',
  ]);
  expect(await draft()).toBe(undefined);
  await db.query('update accounts set email = $1 where email = $2', [
    email?.to_email,
    'new@x.example',
  ]);
  expect(await draft()).toContain('Roses');
  await changeMember('accepted_at = null');
  expect(await draft()).toBe(undefined);
});

it('notifications are pruned after their retention', async () => {
  const merchant_id = await makeMerchant();
  await openDisputes(merchant_id);
  await dispatchAll(servicesAt());
  const daysLater = (days: number) => clock.now() + seconds(days * 86_400);
  expect(await pruneMemberNotifications(db, daysLater(NOTIFICATION_DAYS - 1), 1_000)).toBe(0);
  await pruneMemberNotifications(db, daysLater(NOTIFICATION_DAYS + 1), 1_000);
  expect(await notificationsOf(merchant_id)).toEqual([]);
});

/** Services of a worker within a transaction that somebody else commits. */
const servicesWithin = (tx: Db): DispatchServices => ({
  ...servicesAt(),
  db: { ...db, ...tx, transaction: (work) => work(tx) },
});

/** A database whose transactions fail after their work, as they do if the process ends then. */
const dyingBeforeCommit = (whole: Database): Database => ({
  ...whole,
  transaction: (work) =>
    whole.transaction(async (tx) => {
      await work(tx);
      // An error that passes: the change is due as before.
      throw Object.assign(new Error('the process ends'), { code: '40001' });
    }),
});
