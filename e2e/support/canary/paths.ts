import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FrameConfig } from '@florin/contract/protocol/frame.ts';
import { canaryAccounts, unsettledAmountOf } from './accounts.ts';
import type { CanaryCard } from './cards.ts';
import { call, mount, type PayAnswer, sealFor, verify } from './protocol.ts';
import type { CanaryTestbed } from './testbed.ts';

/** Data to search for after a path, in addition to its card. */
export interface Trail {
  /** Sealed card parts, which only the vault may store. */
  readonly sealedParts: string[];
  /** Ciphertexts of verification values and of their data keys in the vault. */
  readonly storedCiphertexts: Buffer[];
  /** All responses of Florin. */
  readonly responses: string[];
}

/** Sends a card on one path through Florin. Resolves with the outcome in one word. */
export type Path = (testbed: CanaryTestbed, card: CanaryCard, trail: Trail) => Promise<string>;

/** Paths by name, each with the expected outcome. */
export type Paths = Readonly<Record<string, readonly [path: Path, end: string]>>;

/** Amounts that select behaviour of the simulated network or bank; see `docs/pages/sandbox`. */
const amounts = {
  plain: 2_500,
  lost: 9_701,
  reset: 9_702,
  garbage: 9_703,
  late: 9_704,
  refused: 9_706,
  rejected: 9_812,
  challenge: 9_813,
} as const;

const POLL_MS = 100;
const SETTLE_LIMIT_MS = 60_000;

/**
 * Waits until no payment is in progress, and lets lookups of unknown outcomes run without their delay. With `includesKilled`,
 * also waits for payments of killed processes, whose lease must end first. Throws if some remain.
 */
export async function waitUntilSettled(
  testbed: CanaryTestbed,
  includesKilled: boolean,
): Promise<void> {
  const database = await testbed.database();
  const deadline = performance.now() + SETTLE_LIMIT_MS;
  for (;;) {
    const { rowCount } = await database.query(
      `select from payment_demands where status in ('pending', 'processing')
         and ($1 or amount_cents <> ${amounts.late}) and amount_cents <> all ($2)`,
      [includesKilled, canaryAccounts.map(unsettledAmountOf)],
    );
    if (rowCount === 0) return;
    if (performance.now() > deadline) throw new Error(`${rowCount} payments do not settle`);
    for (const table of ['attempts', 'payment_demands'])
      await database.query(`update ${table} set due_at = now() where due_at > now()`);
    await sleep(POLL_MS);
  }
}

/** Records the ciphertexts of verification values that the vault stores now, read as the database's administrator. */
async function recordCiphertexts(
  testbed: CanaryTestbed,
  { storedCiphertexts }: Trail,
): Promise<void> {
  const { rows } = await (await testbed.database()).query<{ bytes: Buffer }>(
    'select ciphertext as bytes from vault.cvvs union all select wrapped from vault.cvv_epochs',
  );
  storedCiphertexts.push(...rows.map(({ bytes }) => bytes));
}

/** Browser data. Without it no bank requires a challenge. */
const BROWSER = {
  language: 'en',
  color_depth: 24,
  screen_height: 800,
  screen_width: 1_280,
  tz: 60,
};

interface VerifiedPayment {
  readonly payment: string;
  readonly config: FrameConfig;
  readonly sealed: Awaited<ReturnType<typeof sealFor>>;
  readonly result: string;
}

async function verifyCard(
  testbed: CanaryTestbed,
  card: CanaryCard,
  trail: Trail,
  amount: number,
): Promise<VerifiedPayment> {
  const payment = await testbed.shop().makePayment(amount);
  const config = await mount(testbed.florin, payment);
  const sealed = await sealFor(config, card);
  trail.sealedParts.push(sealed.pan_jwe, sealed.cvv_jwe);
  const answer = await verify(testbed.florin, config, sealed, { browser: BROWSER });
  trail.responses.push(answer.text);
  await recordCiphertexts(testbed, trail);
  return { payment, config, sealed, result: answer.result ?? String(answer.status) };
}

/** Verifies a card, confirms its payment, and runs `meanwhile` while the message is in flight. */
export const chargePath =
  (amount: number, meanwhile: (testbed: CanaryTestbed) => Promise<void> = async () => {}): Path =>
  async (testbed, card, trail) => {
    const { payment, result } = await verifyCard(testbed, card, trail, amount);
    if (result !== 'verified') throw new Error(`the card was answered with ${result}`);
    await testbed.shop().confirm(payment);
    await meanwhile(testbed);
    return 'charged';
  };

/** Mounts the form, verifies the card and confirms a payment. Returns the payment's final status. */
export async function payWithCard(testbed: CanaryTestbed, card: CanaryCard): Promise<string> {
  const shop = testbed.shop();
  const payment = await shop.makePayment(amounts.plain);
  const config = await mount(testbed.florin, payment);
  const answer = await verify(testbed.florin, config, await sealFor(config, card));
  if (answer.result !== 'verified') return answer.text;
  await shop.confirm(payment);
  for (;;) {
    const { status } = (await shop.fetch('payment_demands', payment)).attributes;
    if (status !== 'pending' && status !== 'processing') return String(status);
    await sleep(POLL_MS);
  }
}

const unpaidPath =
  (amount: number): Path =>
  async (testbed, card, trail) =>
    (await verifyCard(testbed, card, trail, amount)).result;

/** Verifies a sealed card that `sealWrongly` makes invalid. Florin must refuse it. */
const refusedPath =
  (sealWrongly: (config: FrameConfig, card: CanaryCard) => Promise<object>): Path =>
  async (testbed, card, trail) => {
    const payment = await testbed.shop().makePayment(amounts.plain);
    const config = await mount(testbed.florin, payment);
    const sealed = await sealWrongly(config, card);
    trail.sealedParts.push(...Object.values(sealed).filter((text) => text.length > 100));
    const answer = await verify(testbed.florin, config, sealed);
    trail.responses.push(answer.text);
    return JSON.parse(answer.text).detail.code;
  };

/** Changes the last digit, so that the check digit is wrong. */
const mistypeNumber = ({ number, cvv }: CanaryCard): CanaryCard => ({
  number: number.slice(0, -1) + ((Number(number.at(-1)) + 1) % 10),
  cvv,
});

/** Milliseconds until the message is at the network, which responds to this amount with a delay. */
const IN_FLIGHT_DELAY_MS = 700;
const killPrograms =
  (...programs: ('vault' | 'server')[]) =>
  async (testbed: CanaryTestbed) => {
    await sleep(IN_FLIGHT_DELAY_MS);
    await Promise.all(programs.map((program) => testbed.kill(program)));
  };

const sendTwice: Path = async (testbed, card, trail) => {
  const { config, sealed } = await verifyCard(testbed, card, trail, amounts.plain);
  const secondAnswer = await verify(testbed.florin, config, sealed);
  trail.responses.push(secondAnswer.text);
  return secondAnswer.result ?? '';
};

const sealByAnotherForm: Path = async (testbed, card, trail) => {
  const { sealed } = await verifyCard(testbed, card, trail, amounts.plain);
  const otherConfig = await mount(testbed.florin, await testbed.shop().makePayment(amounts.plain));
  const answer = await verify(testbed.florin, otherConfig, sealed);
  trail.responses.push(answer.text);
  return JSON.parse(answer.text).detail.code;
};

/** Milliseconds in which the request is sent and no response can arrive. */
const LEAVE_MS = 5;

const leaveImmediately: Path = async (testbed, card, trail) => {
  const config = await mount(testbed.florin, await testbed.shop().makePayment(amounts.plain));
  const sealed = await sealFor(config, card);
  trail.sealedParts.push(sealed.pan_jwe, sealed.cvv_jwe);
  const abortController = new AbortController();
  const pendingRequest = call(testbed.florin.payUrl, 'POST', config.verify_url, {
    signal: abortController.signal,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ session: config.session, timezone: 'UTC', ...sealed }),
  }).catch(() => {});
  await sleep(LEAVE_MS);
  abortController.abort();
  await pendingRequest;
  return 'left';
};

/** Verification value of a length that the card's network does not use. */
const changeCvvLength = ({ number, cvv }: CanaryCard): CanaryCard => ({
  number,
  cvv: cvv.length === 3 ? '6190' : '619',
});

export const paths: Paths = {
  'declined by the network': [chargePath(amounts.plain), 'charged'],
  'answered, and the answer lost': [chargePath(amounts.lost), 'charged'],
  'cut off before it is answered': [chargePath(amounts.reset), 'charged'],
  'answered with garbage': [chargePath(amounts.garbage), 'charged'],
  'refused as not well-formed': [chargePath(amounts.refused), 'charged'],
  'rejected by the bank': [unpaidPath(amounts.rejected), 'failed'],
  'left in the middle of a challenge': [unpaidPath(amounts.challenge), 'challenge'],
  'verified and never charged': [unpaidPath(amounts.plain), 'verified'],
  'sent twice': [sendTwice, 'verified'],
  'sealed by another form': [sealByAnotherForm, 'wrong_session'],
  'sealed and cut short': [
    refusedPath(async (config, card) => {
      const { pan_jwe, cvv_jwe } = await sealFor(config, card);
      return { pan_jwe: pan_jwe.slice(0, -8), cvv_jwe };
    }),
    'sealed_card_unreadable',
  ],
  'sealed with its parts changed round': [
    refusedPath(async (config, card) => {
      const { pan_jwe, cvv_jwe } = await sealFor(config, card);
      return { pan_jwe: cvv_jwe, cvv_jwe: pan_jwe };
    }),
    'invalid_card',
  ],
  'sealed with a mistyped number': [
    refusedPath((config, card) => sealFor(config, mistypeNumber(card))),
    'invalid_card',
  ],
  'sealed with a code of a wrong length': [
    refusedPath((config, card) => sealFor(config, changeCvvLength(card))),
    'invalid_card',
  ],
  'sealed after it expired': [
    refusedPath((config, card) => sealFor(config, card, '01/20')),
    'invalid_card',
  ],
  'sent by a form that leaves at once': [leaveImmediately, 'left'],
};

/** Paths that kill a process, so that concurrent paths would fail. */
export const crashes: Paths = {
  'under way when the vault is killed': [
    chargePath(amounts.late, killPrograms('vault')),
    'charged',
  ],
  'under way when the server is killed': [
    chargePath(amounts.late, killPrograms('server')),
    'charged',
  ],
};

/** Both crashes at once, for a run of one round. */
export const crashOfBoth: Paths = {
  'under way when the vault and the server are killed': [
    chargePath(amounts.late, killPrograms('vault', 'server')),
    'charged',
  ],
};

/**
 * Sends unsealed card numbers in every kind of field of the interface and the form. Florin must refuse each request.
 */
export async function sendUnsealed(
  { florin }: CanaryTestbed,
  { number, cvv }: CanaryCard,
): Promise<(PayAnswer & { readonly location: string })[]> {
  const { baseUrl, payUrl, credentials } = florin;
  const keyHeader = { authorization: `Bearer ${credentials.sandbox.secret_key}` };
  const jsonapiHeaders = { ...keyHeader, 'content-type': 'application/vnd.api+json' };
  const jsonHeaders = { 'content-type': 'application/json' };
  const customerBody = (attributes: object) =>
    JSON.stringify({
      data: { type: 'customers', attributes: { email: 'a@example.com', ...attributes } },
    });
  const webhookBody = JSON.stringify({
    data: {
      type: 'webhook_subscriptions',
      attributes: {
        url: `http://127.0.0.1/${number}`,
        events: ['transaction.payment_demands.updated'],
      },
    },
  });
  const methodBody = JSON.stringify({
    data: {
      type: 'payment_methods',
      attributes: {
        card_pan_token: number,
        card_cvv_token: cvv,
        expiry_month: 1,
        expiry_year: 2039,
      },
    },
  });
  const groupedNumber = number.replace(/\d{4}(?=\d)/g, '$& ');
  const unsealedBody = JSON.stringify({
    session: 'x',
    pan_jwe: number,
    cvv_jwe: cvv,
    timezone: 'UTC',
  });
  const requests: readonly [string, Parameters<typeof call>][] = [
    [
      'an attribute',
      [
        baseUrl,
        'POST',
        '/v2/customers',
        { headers: jsonapiHeaders, body: customerBody({ name: groupedNumber }) },
      ],
    ],
    [
      'a named code',
      [baseUrl, 'POST', '/v2/customers', { headers: jsonapiHeaders, body: customerBody({ cvv }) }],
    ],
    [
      'the place of a token',
      [baseUrl, 'POST', '/v2/payment_methods', { headers: jsonapiHeaders, body: methodBody }],
    ],
    [
      'the address of a webhook',
      [
        baseUrl,
        'POST',
        '/v2/webhook_subscriptions',
        { headers: jsonapiHeaders, body: webhookBody },
      ],
    ],
    [
      'a body that is no JSON',
      [baseUrl, 'POST', '/v2/customers', { headers: jsonapiHeaders, body: `card=${number}` }],
    ],
    [
      'an idempotency key',
      [
        baseUrl,
        'POST',
        '/v2/customers',
        { headers: { ...jsonapiHeaders, 'idempotency-key': number }, body: customerBody({}) },
      ],
    ],
    [
      'an update',
      [
        baseUrl,
        'PATCH',
        `/v2/customers/${randomUUID()}`,
        { headers: jsonapiHeaders, body: customerBody({ description: number }) },
      ],
    ],
    [
      'a header',
      [baseUrl, 'GET', '/v2/customers', { headers: { ...keyHeader, 'x-request-id': number } }],
    ],
    ['a filter', [baseUrl, 'GET', `/v2/customers?filter[name]=${number}`, { headers: keyHeader }]],
    ['a path', [baseUrl, 'GET', `/v2/customers/${number}`, { headers: keyHeader }]],
    ['the form’s page', [payUrl, 'GET', `/pay/${number}`]],
    [
      'the form’s call',
      [payUrl, 'POST', '/frame/v1/verify', { headers: jsonHeaders, body: unsealedBody }],
    ],
    ['the form’s question', [payUrl, 'GET', `/frame/v1/status?session=${number}`]],
  ];
  return Promise.all(
    requests.map(async ([location, request]) => ({ location, ...(await call(...request)) })),
  );
}
