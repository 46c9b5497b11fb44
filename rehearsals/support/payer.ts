import { setTimeout as sleep } from 'node:timers/promises';

const MEDIA_TYPE = 'application/vnd.api+json';
const REQUEST_LIMIT_MS = 10_000;
/** Longest time for one request with all its repetitions: longer than restarts of all processes. */
const ANSWER_LIMIT_MS = 120_000;
/** Longest time until an accepted payment has its outcome: longer than the inquiry about a lost response. */
const OUTCOME_LIMIT_MS = 300_000;
/** Pauses between repetitions, and between looks at a payment: each twice the one before. */
const PAUSE_MS = 50;
const PAUSE_MS_MAX = 1_000;

export interface Resource {
  readonly type: string;
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, { readonly data?: unknown }>>;
}

/** A payment that an api has accepted. */
export interface AcceptedPayment {
  readonly id: string;
  readonly amount_cents: number;
}

/** How one request ended: its status, or why there is none. */
export interface Answer {
  readonly method: string;
  readonly status: number | 'connection broken' | 'no response';
  readonly duration_ms: number;
}

/** A merchant that reaches several apis, and repeats a request at the next one when the first does not answer. */
export interface Payer {
  /** Prepares customer and card, and returns their ids. `keys` is the beginning of the requests' keys. */
  prepare(keys?: string): Promise<readonly string[]>;
  /** Takes a payment, and returns it with its outcome. */
  pay(key: string, amount_cents: number): Promise<Resource>;
  /** Reads a payment. */
  read(id: string): Promise<Resource>;
  /** Sends any other request, and repeats it like a payment. */
  send(method: string, path: string, key?: string, body?: object): Promise<Resource>;
  /** Creates a record. */
  make(
    key: string,
    type: string,
    attributes: object,
    related?: Readonly<Record<string, Resource>>,
  ): Promise<Resource>;
  /** Waits for the outcome of a payment. */
  waitForOutcome(id: string): Promise<Resource>;
  /** Customer and billing address of all payments, after `prepare`. */
  parties(): Readonly<Record<string, Resource>>;
  readonly accepted: readonly AcceptedPayment[];
  /** Number of requests that were repeated. */
  repeats(): number;
}

export function createPayer(
  apis: readonly string[],
  secretKey: string,
  onAnswer: (answer: Answer) => void = () => {},
): Payer {
  const accepted: AcceptedPayment[] = [];
  let turn = 0;
  let repeats = 0;
  let relations: Readonly<Record<string, Resource>> = {};

  /** Sends a request to each api in turn until one answers it. A repetition has the same key. */
  async function send(method: string, path: string, key?: string, body?: object) {
    const deadline = performance.now() + ANSWER_LIMIT_MS;
    const pause = createPause();
    for (;;) {
      const api = apis[turn++ % apis.length] ?? '';
      const sentAt = performance.now();
      const { status, data } = await sendOnce(api, secretKey, { method, path, key, body });
      onAnswer({ method, status, duration_ms: performance.now() - sentAt });
      if (data && Number(status) < 400) return data;
      if (Number(status) < 500) throw new Error(`${method} ${path} was answered with ${status}`);
      if (performance.now() > deadline) throw new Error(`${method} ${path} was not answered`);
      repeats += 1;
      await pause();
    }
  }

  const make = (
    key: string,
    type: string,
    attributes: object,
    related: Readonly<Record<string, Resource>> = {},
  ): Promise<Resource> => send('POST', `/v2/${type}`, key, documentOf(type, attributes, related));

  const read = (id: string): Promise<Resource> => send('GET', `/v2/payment_demands/${id}`);

  const waitForOutcome = (id: string): Promise<Resource> => readUntilFinal(() => read(id));

  return {
    accepted,
    read,
    send,
    make,
    waitForOutcome,
    parties: () => withoutCard(relations),
    repeats: () => repeats,
    async prepare(keys = '') {
      const customer = await make(`${keys}customer`, 'customers', {
        email: 'ada@example.com',
        name: 'Ada',
      });
      relations = {
        payer: customer,
        billing_address: await make(`${keys}address`, 'consumer_addresses', ADDRESS, {
          customer,
        }),
        payment_method: await make(`${keys}card`, 'payment_methods', CARD, { customer }),
      };
      return Object.values(relations).map(({ id }) => id);
    },
    async pay(key, amount_cents) {
      // A payment that is confirmed later waits for a worker; the other kind is sent by the api.
      const confirmed = accepted.length % 2 === 0;
      const attributes = { ...PURCHASE, amount_cents, purchase_reference: key, confirmed };
      const { id } = await make(key, 'payment_demands', attributes, relations);
      accepted.push({ id, amount_cents });
      if (!confirmed) await send('PATCH', `/v2/payment_demands/${id}/confirm`, `${key} confirm`);
      return waitForOutcome(id);
    },
  };
}

function withoutCard({ payment_method: _, ...parties }: Readonly<Record<string, Resource>>) {
  return parties;
}

async function readUntilFinal(read: () => Promise<Resource>): Promise<Resource> {
  const deadline = performance.now() + OUTCOME_LIMIT_MS;
  const pause = createPause();
  for (;;) {
    const payment = await read();
    if (FINAL.has(payment.attributes.status)) return payment;
    if (performance.now() > deadline) throw new Error(`payment ${payment.id} has no outcome`);
    await pause();
  }
}

/** Waits longer each time, so that many waiting payments leave the apis time for others. */
function createPause(): () => Promise<void> {
  let next = PAUSE_MS;
  return async () => {
    await sleep(next);
    next = Math.min(2 * next, PAUSE_MS_MAX);
  };
}

const FINAL = new Set<unknown>(['succeeded', 'failed', 'canceled', 'reversed', 'disputed']);

const PURCHASE = { amount_currency: 'USD', purchase_kind: 'order' };

const CARD = {
  card_pan_token: 'pan_test_visa',
  card_cvv_token: 'cvv_test',
  expiry_month: 12,
  expiry_year: 2031,
};

const ADDRESS = {
  line_1: '1 Main Street',
  city: 'New York',
  state: 'NY',
  zip: '10001',
  country: 'USA',
};

const documentOf = (
  type: string,
  attributes: object,
  related: Readonly<Record<string, Resource>>,
) => ({
  data: {
    type,
    attributes,
    relationships: Object.fromEntries(
      Object.entries(related).map(([name, { type: target, id }]) => [
        name,
        { data: { type: target, id } },
      ]),
    ),
  },
});

interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  readonly body: object | undefined;
}

/** Sends a request once. Without `data` if the response is missing, incomplete, or an error. */
async function sendOnce(
  api: string,
  secretKey: string,
  { method, path, key, body }: SentRequest,
): Promise<{ readonly status: Answer['status']; readonly data?: Resource }> {
  try {
    const response = await fetch(api + path, {
      method,
      headers: {
        authorization: `Bearer ${secretKey}`,
        'user-agent': 'florin-rehearsal/1',
        ...(key && { 'idempotency-key': key }),
        ...(body && { 'content-type': MEDIA_TYPE }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
    });
    const document = (await response.json()) as { data: Resource };
    return { status: response.status, data: document.data };
  } catch (error) {
    const isTimeout = (error as Error).name === 'TimeoutError';
    return { status: isTimeout ? 'no response' : 'connection broken' };
  }
}
