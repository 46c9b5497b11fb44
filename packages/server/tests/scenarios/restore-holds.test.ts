import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { bareEnv } from '@florin/dev-env/config/env.ts';
import { takeSnapshot } from '@florin/dev-env/snapshot.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import { replaceFact } from '../../src/platform/database/installation/installation-facts.ts';
import { shortReference } from '../../src/processors/adapters/checkout-com/reference.ts';
import { useCheckoutStack } from '../support/checkout-com.ts';
import type { ResourceObject } from '../support/client.ts';
import { makeAuthorisedPayment, makeDemand, makeParties, waitForOutcome } from '../support/make.ts';
import { waitUntilDrained } from '../support/story-clock.ts';

const PROGRAM = join(import.meta.dirname, '..', '..', 'src', 'bin', 'restored.ts');
const florin = useCheckoutStack();
/** An order that was confirmed, authorised and captured after the restored time. */
let order: ResourceObject;

async function restored(...words: string[]): Promise<string> {
  const env = bareEnv({ DATABASE_URL: florin.stack.serverDatabaseUrl });
  const child = spawn(process.execPath, [PROGRAM, ...words], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  await once(child, 'close');
  return output;
}

async function withDatabase<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
  await using db = openDatabase({ url: florin.stack.databaseUrl, connections_max: 1 });
  return await work(db);
}

const attemptOf = ({ id }: ResourceObject): Promise<string> =>
  withDatabase(async (db) => {
    const [row] = await db.query(
      `select id from attempts where payment_demand_id = $1 and operation = 'authorise'`,
      [id],
    );
    return row?.id as string;
  });

beforeAll(async () => {
  const { stack, client } = florin;
  await makeAuthorisedPayment(client, { amount_cents: 700 });
  order = await makeDemand(client, { amount_cents: 4_200 }, await makeParties(client));
  await waitUntilDrained(client);
  const snapshot = await takeSnapshot(stack.adminDatabaseUrl, () => new Date());
  await client.send('PATCH', `/v2/payment_demands/${order.id}/confirm`);
  await waitForOutcome(client, order.id);
  await stack.stop('server');
  await stack.stop('vault');
  await snapshot.restore();
  await withDatabase((one) => replaceFact(one, 'restored', snapshot.taken_at.toISOString()));
  await stack.start('vault');
  await stack.start('server');
});

describe('a restored installation whose processor captures by a second message', () => {
  it('leaves an approval to an operator, and names older holds', async () => {
    const output = await restored('learn');
    expect(output).toContain('held until');
    expect(output).toContain('has 1 holds of before the restored time');
    const { attributes } = await florin.client.fetch('payment_demands', order.id);
    expect(attributes.status).toBe('processing');
    expect(await restored('report')).toContain(`attempt ${await attemptOf(order)}`);
  });

  it('records a charge with its capture, and sends no second capture once it is open', async () => {
    const attempt = await attemptOf(order);
    expect(await restored('decide', attempt, 'charged')).toContain('was charged');
    expect((await florin.client.fetch('payment_demands', order.id)).attributes).toMatchObject({
      status: 'succeeded',
      amount_captured_cents: 4_200,
    });
    expect(await restored('open')).toContain('is open');
    await waitUntilDrained(florin.client);
    expect(await florin.paymentsOf(shortReference(attempt))).toMatchObject([
      { status: 'Captured', balances: { total_captured: 4_200, total_refunded: 0 } },
    ]);
    expect(await restored('report')).not.toContain('DIFFERS');
  });
});
