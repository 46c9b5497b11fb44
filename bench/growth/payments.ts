import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import pg from 'pg';
import { paymentId, storeCustomers, storePayments } from '../bulk.ts';
import { createPayer } from '../payers.ts';
import { confirmedPayment, untilSettled } from '../payments.ts';
import { createProgress, grouped } from '../progress.ts';
import type { Testbed } from '../testbed.ts';

/** The bench's merchant with a growing number of payments. */
export interface GrowingPayments extends AsyncDisposable {
  /** Stores payments until there are `size`, each with its attempt and events. */
  growTo(size: number): Promise<void>;
}

/** Disk that a payment takes with its attempt, its events and all indexes (6.2 kB), and room for the log. */
const PAYMENT_BYTES = 7_000;

export async function openGrowingPayments(testbed: Testbed): Promise<GrowingPayments> {
  const client = new pg.Client({ connectionString: testbed.databaseUrl });
  await client.connect();
  const merchant_id = await testbed.merchantId();
  await storeCustomers(client, merchant_id);
  const template = await makeTemplate(testbed);
  let stored = 0;
  return {
    async growTo(size) {
      const progress = createProgress('storing payments', size, stored);
      let copied = stored;
      await storePayments(client, merchant_id, { from: stored, to: size }, async (now_stored) => {
        await client.query(attemptsSql, [merchant_id, template, copied, now_stored]);
        await client.query(eventsSql, [merchant_id, template, copied, now_stored]);
        copied = now_stored;
        progress.show(now_stored);
      });
      progress.end();
      stored = size;
      await client.query('vacuum analyze');
      await client.query('checkpoint');
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}

const BYTES_PER_GB = 1e9;

/** Throws if the disk of the temporary directory lacks room for so many payments. */
export function requireDisk(payments: number): void {
  const { bavail, bsize } = statfsSync(tmpdir());
  const free_bytes = bavail * bsize;
  const needed_bytes = payments * PAYMENT_BYTES;
  if (needed_bytes < free_bytes) return;
  const [needed, free] = [needed_bytes, free_bytes].map((bytes) =>
    (bytes / BYTES_PER_GB).toFixed(0),
  );
  throw new Error(
    `${grouped(payments)} payments need about ${needed} GB of disk in ${tmpdir()}, which has ${free} GB free. Set TMPDIR to a directory on a larger disk.`,
  );
}

/** Creates a paid payment, whose attempt and events are copied for each stored payment. Returns its id. */
async function makeTemplate(testbed: Testbed): Promise<string> {
  const { type, attributes, relationships } = confirmedPayment(await createPayer(testbed));
  const { id } = await testbed.post(type, attributes, relationships);
  await untilSettled(testbed);
  return id;
}

const newPayments = `(select * from payment_demands
  where merchant_id = $1 and id between ${paymentId('$3::bigint')} and ${paymentId('$4::bigint - 1')})`;

/** Materialized templates: a join could scan the table again for each row, with all rows that were just inserted. */
const attemptsSql = `
  with templates as materialized (
    select attempts as record from attempts where merchant_id = $1 and payment_demand_id = $2)
  insert into attempts
  select copy.* from templates, ${newPayments} p,
    jsonb_populate_record(record, jsonb_build_object('id', uuid7(p.created_at), 'payment_demand_id', p.id,
      'amount_cents', p.amount_cents, 'payer_id', p.payer_id, 'card_fingerprint', md5(p.payment_method_id::text),
      'created_at', p.created_at, 'updated_at', p.created_at)) copy
  where p.status = 'succeeded'`;

const eventsSql = `
  with templates as materialized (
    select events as record from events where merchant_id = $1 and resource_id = $2)
  insert into events
  select copy.* from templates, ${newPayments} p,
    jsonb_populate_record(record, jsonb_build_object('id', uuid7(p.created_at), 'resource_id', p.id,
      'created_at', p.created_at, 'recorded_at', p.created_at)) copy`;
