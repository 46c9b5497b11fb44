import { mkdtemp, rm } from 'node:fs/promises';
import { withClient } from '@florin/cli/database/client.ts';
import { testPostgresUrl } from '@florin/dev-env/config/env.ts';
import { expect, it } from 'vitest';
import { readBooks } from '../../../../faults/books.ts';
import { type Installation, startInstallation } from '../../../../faults/installation.ts';
import type { Plan } from '../../../../faults/plan.ts';
import {
  createMerchant,
  type Merchant,
  type Resource,
} from '../../../../faults/scenarios/merchant.ts';
import {
  made,
  makeAddress,
  makeCard,
  purchaseOf,
} from '../../../../faults/scenarios/scenario-context.ts';

const PAYMENTS = 4;
/** Slow enough for a busy machine to send its claims before verification values expire. */
const SPEED = 10;

/** Each card is verified with a message, before any payment. */
const firstPayment = { place: 'before sending POST /relay', passage: PAYMENTS + 1 };
/** Longer than the lease of an attempt plus the time of a message in flight. */
const stall = {
  place: 'before sending POST /networks/:id/v:id/authorisations',
  passage: 1,
  ms: 7_000,
};

const plan: Plan = {
  // With this seed no inquiry fails.
  seed: 3_691,
  speed: SPEED,
  scenarios: [],
  messages: new Map(),
  inquiries: [],
  kills: { server: [{ phase: 'run', ...firstPayment }], vault: [], simulator: [] },
  late: 'capture',
  stalls: [stall],
  database: [],
  hooks: [],
};

async function confirmAll(merchant: Merchant): Promise<Resource[]> {
  const ada = { email: 'ada@example.com', name: 'Ada' };
  const payer = await made(merchant.make('payer', 'customers', ada));
  const billing_address = await makeAddress(merchant, 'address', payer);
  const names = Array.from({ length: PAYMENTS }, (_, at) => `payment ${at}`);
  const cards = await Promise.all(names.map((name) => makeCard(merchant, name, 'visa', payer)));
  const confirmed = names.map((name, at) => {
    const attributes = { ...purchaseOf(name), amount_cents: 1_000 + at, confirmed: true };
    const relations = { payer, billing_address, payment_method: cards[at] as Resource };
    return made(merchant.make(`${name} itself`, 'payment_demands', attributes, relations));
  });
  return Promise.all(confirmed);
}

const ended = (merchant: Merchant, payment: Resource): Promise<Resource> =>
  merchant.until(payment, ({ attributes: { status } }) =>
    ['succeeded', 'failed'].includes(status as string),
  );

/** Attempts by state. */
const attemptsOf = ({ adminUrl }: Installation): Promise<Record<string, number>> =>
  withClient(adminUrl, async (client) => {
    const { rows } = await client.query('select status, count(*)::int from attempts group by 1');
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  });

it('payments whose server crashes and whose vault is suspended before sending are charged once, with all card data', async () => {
  const directory = await mkdtemp('/tmp/florin-n-');
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(directory, { recursive: true, force: true }));
  const lane = { directory, postgresUrl: testPostgresUrl() };
  const installation = cleanup.use(await startInstallation(plan, lane));
  const merchant = createMerchant(installation.baseUrl, installation.secretKey);
  const payments = await confirmAll(merchant);
  const ends = await Promise.all(payments.map((one) => ended(merchant, one)));
  expect(installation.kills()).toEqual([firstPayment.place]);
  expect(installation.stalls()).toEqual([`${stall.ms} ms ${stall.place}`]);
  expect(ends.map(({ attributes }) => [attributes.status, attributes.cvc2_check])).toEqual(
    ends.map(() => ['succeeded', 'match']),
  );
  const attempts = await attemptsOf(installation);
  expect(attempts.reversed).toBeGreaterThan(0);
  expect(attempts.approved).toBe(PAYMENTS);
  await installation.stop();
  const { authorisations } = readBooks(installation.dataDir);
  const approved = authorisations.filter(({ result }) => result === 'approved');
  expect(approved.map(({ amount }) => amount).toSorted()).toEqual(
    payments.map(({ attributes }) => attributes.amount_cents).toSorted(),
  );
}, 300_000);
