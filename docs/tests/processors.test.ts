import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Processes, startProcesses } from '@florin/dev-env/start-processes.ts';
import {
  createProgram,
  type Program,
  type Ref,
} from '@florin/server/features/demo/shop/program.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Fence, fencesOf } from '../src/site/fences.ts';
import { readPages } from '../src/site/pages.ts';
import { PAGES } from '../src/site/write.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const REASON = 'check="processors.test.ts runs these commands"';
const PAUSE_MS = 200;

/** Blocks of a page that the test runs, each with the text that the page shows below it. */
function blocksOf(path: string): readonly { readonly commands: string; readonly shown: string }[] {
  const page = readPages(PAGES).find((each) => each.path === path)?.markdown ?? '';
  const fences = fencesOf(page);
  const shownBelow = (next: Fence | undefined) => (next?.kind === 'text' ? next.content : '');
  return fences.flatMap(({ kind, flags, content }, at) =>
    kind === 'sh' && flags === REASON
      ? [{ commands: content, shown: shownBelow(fences[at + 1]) }]
      : [],
  );
}

/** Output without the parts that differ from run to run. */
const normalise = (text: string): string =>
  text
    .replace(/[\da-f]{8}-[\da-f-]{27}/g, 'ID')
    .replace(/localhost:\d+/g, 'localhost:4000')
    .replace(/rpt_[a-z2-7]+\/file_[a-z2-7]+/g, 'REPORT')
    .replace(/\d{4}-\d\d-\d\dT\S+Z/g, 'TIME')
    .replace(/ +/g, ' ');

const dataDir = mkdtempSync(join(tmpdir(), 'florin-processors-'));
let florin: Processes;
let program: Program;
beforeAll(async () => {
  florin = await startProcesses({ dataDir });
  program = createProgram(florin.baseUrl, florin.credentials.sandbox.secret_key);
}, 600_000);
afterAll(async () => {
  await florin[Symbol.asyncDispose]();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Takes the place of npm, whose start takes longer than the command. */
const NPM = `npm() {
  while [ "$1" != -- ]; do shift; done
  shift
  node packages/cli/src/main.ts "$@"
}
`;

/** Runs commands as a reader does. Returns their output, which has what the page shows. */
async function run(
  { commands, shown }: ReturnType<typeof blocksOf>[number],
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', NPM + commands], {
    env: { ...process.env, FLORIN_DATA: florin.dataDir, ...variables },
    cwd: ROOT,
  });
  if (shown) expect(normalise(stdout)).toContain(normalise(shown));
  return stdout;
}

it('the commands of the page on processors run in order, and print what it shows', async () => {
  const blocks = blocksOf('operate/processors');
  expect(blocks.length).toBeGreaterThan(3);
  const outputs: string[] = [];
  for (const block of blocks) outputs.push(await run(block));
  const output = outputs.join('');
  expect(output).toMatch(/^[\da-f-]{36} {2}US +checkout_com +sandbox +enabled/m);
  expect(normalise(output)).toContain('Removed US (ID) and its secrets.');
  for (const verb of ['pause', 'remove'])
    await run({ commands: `npm run florin -- processors ${verb} EU`, shown: '' });
}, 600_000);

/** Polls until a value is as wanted. Fails after the test's time. */
async function until<Value>(
  read: () => Promise<Value>,
  isDone: (value: Value) => boolean,
): Promise<Value> {
  for (;;) {
    const value = await read();
    if (isDone(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

const statusOf = async ({ type, id }: Pick<Ref, 'type' | 'id'>): Promise<unknown> =>
  (await program.send('GET', `${type}/${id}`)).attributes?.status;

/** Pays 24.99 without a verification value, so that a second account may be asked. */
async function pay(amount_currency: 'EUR' | 'USD', options: object = {}): Promise<Ref> {
  const payer = await program.create('customers', { email: 'ada@example.com' });
  const billing_address = await program.create('consumer_addresses', {
    ...{ line_1: '1 Main', city: 'New York', state: 'NY', zip: '10001', country: 'USA' },
  });
  const card = { card_pan_token: 'pan_test_visa', expiry_month: 12, expiry_year: 2031 };
  const payment_method = await program.create('payment_methods', card);
  const purchase = { purchase_reference: 'mug', purchase_kind: 'order', confirmed: true };
  const payment = await onceRouted(() =>
    program.create(
      'payment_demands',
      { amount_cents: 2_499, amount_currency, ...purchase, ...options },
      { payer, billing_address, payment_method },
    ),
  );
  await untilStatus(payment, 'capture_method' in options ? 'authorised' : 'succeeded');
  return payment;
}

/** Repeats a payment until the server has read the accounts that a command changed. A refused one is not stored. */
async function onceRouted<Value>(create: () => Promise<Value>): Promise<Value> {
  for (;;) {
    try {
      return await create();
    } catch (error) {
      if (!/^No processor account takes this payment/.test((error as Error).message)) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

const untilStatus = (ref: Ref, wanted: string): Promise<unknown> =>
  until(
    () => statusOf(ref),
    (status) => status === wanted,
  );

/** Captures an authorised payment in two parts. */
async function captureInParts(payment_demand: Ref): Promise<void> {
  for (const [amount_cents, final] of [
    [1_000, false],
    [1_499, true],
  ]) {
    const attributes = { amount_cents, amount_currency: 'EUR', final };
    const capture = await program.create('capture_demands', attributes, { payment_demand });
    await untilStatus(capture, 'succeeded');
  }
  await untilStatus(payment_demand, 'succeeded');
}

interface AttemptAttributes {
  readonly operation: string;
  readonly status: string;
  readonly unknown_since: string | null;
  readonly inquiries_count: number;
  readonly route: { readonly account: string; readonly after?: { readonly why: string } } | null;
}

/** Authorisations of a payment, oldest first. */
async function attemptsOf({ id }: Ref): Promise<readonly AttemptAttributes[]> {
  const path = `payment_attempts?filter[payment_demand]=${id}&sort=created_at`;
  const attempts = (await program.list(path)).map(({ attributes }) => attributes);
  return (attempts as unknown as readonly AttemptAttributes[]).filter(
    ({ operation }) => operation === 'authorise',
  );
}

const stepsOf = async (payment: Ref) =>
  (await attemptsOf(payment)).map(({ status, route }) => [
    route?.account,
    status,
    route?.after?.why,
  ]);

/** Types of the notifications that the stand-in of Checkout.com has sent. */
async function readCheckoutEvents(): Promise<readonly string[]> {
  const simulator = readFileSync(join(dataDir, 'simulator', 'url'), 'utf8');
  const response = await fetch(`${simulator}/checkout-com/control/notifications`);
  return ((await response.json()) as { event: string }[]).map(({ event }) => event);
}

/** A small PDF. */
const PDF = Buffer.from('%PDF-1.4\ntrailer <<>>\nstartxref\n0\n%%EOF\n');

it('the walk-through of the stand-ins shows what it says', async () => {
  const blocks = blocksOf('sandbox/processors').values();
  const next = async (variables?: Readonly<Record<string, string>>): Promise<string> => {
    const { value } = blocks.next();
    if (!value) throw new Error('The page has fewer commands than the test.');
    return run(value, variables);
  };
  await next();
  await next();
  expect(await stepsOf(await pay('EUR'))).toEqual([['EU', 'approved', undefined]]);
  await captureInParts(await pay('EUR', { capture_method: 'manual' }));
  const first = await pay('USD');
  expect(await stepsOf(first)).toEqual([['US', 'approved', undefined]]);

  await next();
  const [notified] = await attemptsOf(await pay('EUR'));
  expect(notified).toMatchObject({ status: 'approved', unknown_since: expect.any(String) });
  await next();
  const second = await pay('USD');
  expect((await attemptsOf(second))[0]?.unknown_since).not.toBeNull();
  await next();
  const [asked] = await attemptsOf(await pay('USD'));
  expect(asked).toMatchObject({ status: 'approved', unknown_since: expect.any(String) });
  expect(asked?.inquiries_count).toBeGreaterThan(0);

  await next();
  expect(await stepsOf(await pay('EUR'))).toEqual([
    ['EU', 'not_sent', undefined],
    ['US', 'approved', 'connection_failed'],
  ]);
  await next();
  await next();
  expect(await stepsOf(await pay('EUR'))).toEqual([
    ['EU', 'declined', undefined],
    ['US', 'approved', 'insufficient_funds'],
  ]);

  await next();
  await pay('USD');
  const { value: refusals } = blocks.next();
  if (!refusals?.shown) throw new Error('The page shows no refused notifications.');
  const show = () => run({ ...refusals, shown: '' });
  await until(show, (output) => normalise(output).includes(normalise(refusals.shown)));
  await next();
  expect(await stepsOf(await pay('USD'))).toEqual([['US', 'approved', undefined]]);
  await Promise.all([
    until(show, (output) => !output.includes('refused')),
    run({ commands: 'npm run florin -- processors try --renew EU', shown: '' }),
  ]);

  await next();
  expect(await stepsOf(await pay('USD'))).toEqual([
    ['US', 'declined', undefined],
    ['EU', 'approved', 'processor_unreachable'],
  ]);
  const { value: keyNotice } = blocks.next();
  if (!keyNotice?.shown) throw new Error('The page shows no refused key.');
  await until(show, (output) => normalise(output).includes(normalise(keyNotice.shown)));
  await next();
  expect(await show()).not.toContain('refuses the key');

  const refund = await program.create(
    'refund_demands',
    { amount_cents: 500, amount_currency: 'USD', reason: 'customer_canceled' },
    { payment_demand: first },
  );
  await untilStatus(refund, 'succeeded');

  await next({ PAYMENT: second.id });
  const [dispute] = await until(
    () => program.list('disputes?filter[status]=needs_response'),
    (disputes) => disputes.length > 0,
  );
  if (!dispute) throw new Error('There is no dispute.');
  const query = 'purpose=receipt&file_name=receipt.pdf';
  await program.send('POST', `disputes/${dispute.id}/files?${query}`, PDF);
  await program.send('PATCH', `disputes/${dispute.id}/submit`);
  await until(readCheckoutEvents, (events) => events.includes('dispute_evidence_submitted'));
  await next({ DISPUTE: dispute.id });
  await untilStatus(dispute, 'won');

  await next();
  const settled = await until(
    () => run({ commands: 'npm run florin -- processors reports US', shown: '' }),
    (output) => output.includes('compared'),
  );
  const [REPORT = ''] = /^[\da-f-]{36}(?= {2}US)/m.exec(settled) ?? [];
  await next({ REPORT });
  expect(blocks.next().done).toBe(true);
}, 600_000);
