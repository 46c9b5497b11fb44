import { randomBytes } from 'node:crypto';
import Checkout from 'checkout-sdk-node';
import { afterAll, beforeAll } from 'vitest';
import { createSimulator, type Simulator } from '../../src/app.ts';
import { createDataDir } from '../client.ts';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** A new secret key of the form that the SDK sends as a bearer token. */
export const newSecretKey = (): string =>
  `sk_sbox_${[...randomBytes(27)].map((byte) => BASE32[byte % 32]).join('')}`;

export type Sdk = Checkout;

export interface StandInClient {
  /** Address of the stand-in, without a slash at its end. */
  readonly url: string;
  readonly secretKey: string;
  readonly channel: string;
  readonly sdk: Sdk;
  /** Sends a request with the secret key. */
  send(method: string, path: string, body?: unknown, headers?: object): Promise<Response>;
  control(method: string, path: string, body?: unknown): Promise<Response>;
  /** Replaces the account's settings. */
  configure(settings?: object): Promise<void>;
  advance(ms: number): Promise<void>;
}

let channelCount = 0;

/** Creates an account at the stand-in of a simulator. */
export async function createStandInClient(
  simulatorUrl: string,
  settings: object = {},
  secretKey = newSecretKey(),
): Promise<StandInClient> {
  const url = `${simulatorUrl}/checkout-com`;
  const channel = `pc_${String(++channelCount).padStart(26, 'a')}`;
  const request = (method: string, path: string, body?: unknown, headers: object = {}) =>
    fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  const client: StandInClient = {
    url,
    secretKey,
    channel,
    sdk: new Checkout(secretKey, { host: url, subdomain: 'florin' }),
    send: (method, path, body, headers) =>
      request(method, path, body, { authorization: `Bearer ${secretKey}`, ...headers }),
    control: (method, path, body) => request(method, `/control${path}`, body),
    async configure(changes = {}) {
      const body = { secret_key: secretKey, outcome_delay_ms: 0, ...settings, ...changes };
      const response = await client.control('PUT', `/accounts/${channel}`, body);
      if (response.status !== 204) throw new Error(await response.text());
    },
    async advance(ms) {
      await client.control('POST', '/clock', { advance_ms: ms });
    },
  };
  await client.configure();
  return client;
}

/** Starts a simulator for a test file. */
export function useSimulator(): { readonly url: string } {
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await createSimulator({ dataDir: createDataDir(), port: 0 });
  });
  afterAll(() => simulator[Symbol.asyncDispose]());
  return {
    get url() {
      return simulator.url;
    },
  };
}

export const APPROVED_CARD = '4242424242424242';
export const DECLINED_CARD = '4024007181869214';

/** A valid payment request, with changes. A change to undefined removes a member. */
export function createPaymentRequest({
  source = {},
  ...changes
}: Record<string, unknown> & { source?: object } = {}): Record<string, unknown> {
  return {
    source: {
      type: 'card',
      number: APPROVED_CARD,
      expiry_month: '06',
      expiry_year: '2035',
      cvv: '123',
      ...source,
    },
    amount: 2499,
    currency: 'EUR',
    capture: false,
    '3ds': { enabled: false, allow_upgrade: false },
    ...changes,
  };
}

/** Status and body that the SDK's error carries. */
export interface SdkError {
  readonly http_code: number;
  readonly name: string;
  readonly body: { readonly error_type?: string; readonly error_codes?: string[] };
}

/** The error of a call that must fail. */
export async function errorOf(call: Promise<unknown>): Promise<SdkError> {
  return call.then(
    () => {
      throw new Error('The call succeeded.');
    },
    (error: SdkError) => error,
  );
}
