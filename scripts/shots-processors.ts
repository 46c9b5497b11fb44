import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Processes } from '@florin/dev-env/start-processes.ts';
import { deliveryNote } from '@florin/server/features/demo/delivery-note.ts';
import {
  createProgram,
  type Program,
  type Ref,
} from '@florin/server/features/demo/shop/program.ts';
import { ROOT } from './program.ts';

const POLL_MS = 200;
const POLLS_MAX = 300;
/** Florin imports a settlement report within this time. */
const IMPORT_MS = 5_000;

const RULES = [
  { name: 'Euros', conditions: { currencies: ['EUR'] }, accounts: ['EU', 'US'] },
  { name: 'Dollars', conditions: { currencies: ['USD'] }, accounts: ['US'] },
];

/**
 * Gives payments to the stand-ins of processors, with a dispute, evidence and settlement reports, so that the pages of
 * operators have something to show.
 */
export async function connectProcessors({
  baseUrl,
  credentials,
  dataDir,
  port,
}: Processes): Promise<void> {
  const run = (words: string, input = '') =>
    execFileSync(
      process.execPath,
      ['packages/cli/src/main.ts', 'processors', ...words.split(' ')],
      {
        cwd: ROOT,
        env: { ...process.env, FLORIN_DATA: dataDir, PORT: String(port) },
        input,
      },
    );
  const program = createProgram(baseUrl, credentials.sandbox.secret_key);
  run('try adyen --name EU');
  run('try checkout_com --name US');
  run('route --mode sandbox --file -', JSON.stringify(RULES));
  const parties = await createParties(program);
  run('faults adyen --lose-answers 1');
  await pay(program, parties, { amount_cents: 4_900, amount_currency: 'EUR' });
  run('faults checkout_com --double-notifications 1');
  const disputed = await pay(program, parties, { amount_cents: 8_900, amount_currency: 'USD' });
  // The last digits of this amount make the line of the settlement report differ.
  await pay(program, parties, { amount_cents: 19_709, amount_currency: 'USD' });
  run(`try-dispute ${disputed.id}`);
  await answerDispute(program, disputed);
  run('settle EU');
  run('settle US --unclear');
  await sleep(IMPORT_MS);
}

async function createParties(program: Program): Promise<Record<string, Ref>> {
  const payer = await program.create('customers', { email: 'nora@example.com', name: 'Nora Lind' });
  const billing_address = await program.create('consumer_addresses', {
    line_1: '1 Main Street',
    city: 'New York',
    state: 'NY',
    zip: '10001',
    country: 'USA',
  });
  const payment_method = await program.create('payment_methods', {
    card_pan_token: 'pan_test_visa',
    card_cvv_token: 'cvv_test',
    expiry_month: 12,
    expiry_year: 2031,
  });
  return { payer, billing_address, payment_method };
}

/** Creates a payment and waits for its success. */
async function pay(
  program: Program,
  parties: Record<string, Ref>,
  amount: { readonly amount_cents: number; readonly amount_currency: string },
): Promise<Ref> {
  const purchase = { purchase_reference: 'order-2207', purchase_kind: 'order', confirmed: true };
  const payment = await program.create('payment_demands', { ...amount, ...purchase }, parties);
  await until(async () => {
    const { attributes } = await program.send('GET', `payment_demands/${payment.id}`);
    return attributes?.status === 'succeeded';
  });
  return payment;
}

/** Answers the dispute of a payment with a text and a PDF. */
async function answerDispute(program: Program, { id }: Ref): Promise<void> {
  const find = async () => (await program.list(`disputes?filter[payment_demand]=${id}`))[0];
  await until(async () => (await find()) !== undefined);
  const dispute = (await find()) as Ref;
  await program.update(dispute, {
    shipping_documentation: 'Delivered on the third day. The payer signed for the parcel.',
  });
  const query = 'file_name=delivery-note.pdf&purpose=shipping_documentation';
  await program.send('POST', `disputes/${dispute.id}/files?${query}`, deliveryNote());
  await program.send('PATCH', `disputes/${dispute.id}/submit`);
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (let count = 0; count < POLLS_MAX; count++) {
    if (await isDone()) return;
    await sleep(POLL_MS);
  }
  throw new Error('The stand-ins of processors did not answer in time.');
}
