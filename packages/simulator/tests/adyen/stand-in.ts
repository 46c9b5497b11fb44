import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { CheckoutAPI, Client, Config, DisputesAPI, EnvironmentEnum } from '@adyen/api-library';

export const newApiKey = (): string => randomBytes(24).toString('hex');

export interface AdyenClient {
  /** Address of the stand-in, without a slash at its end. */
  readonly url: string;
  readonly apiKey: string;
  readonly account: string;
  readonly sdk: CheckoutAPI;
  readonly disputes: DisputesAPI['DisputesApi'];
  /** Sends a request with the key, below `/v72`. */
  send(path: string, body?: unknown, headers?: object): Promise<Response>;
  control(method: string, path: string, body?: unknown): Promise<Response>;
  /** Replaces the account's settings. */
  configure(settings?: object): Promise<void>;
  advance(ms: number): Promise<void>;
  /** State of a payment in the books. */
  read(psp: string): Promise<Record<string, unknown>>;
}

let accountCount = 0;

/** Creates a merchant account at the stand-in of a simulator. */
export async function createAdyenClient(
  simulatorUrl: string,
  settings: object = {},
  apiKey = newApiKey(),
): Promise<AdyenClient> {
  const url = `${simulatorUrl}/adyen`;
  const account = `FlorinTest_${++accountCount}`;
  const request = (method: string, path: string, body?: unknown, headers: object = {}) =>
    fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  const sdkClient = createSdkClient(url, apiKey);
  const client: AdyenClient = {
    url,
    apiKey,
    account,
    sdk: new CheckoutAPI(sdkClient),
    disputes: new DisputesAPI(sdkClient).DisputesApi,
    send: (path, body, headers) =>
      request('POST', `/v72${path}`, body, { 'x-api-key': apiKey, ...headers }),
    control: (method, path, body) => request(method, `/control${path}`, body),
    async configure(changes = {}) {
      const body = {
        api_key: apiKey,
        outcome_delay_ms: 0,
        company: account,
        ...settings,
        ...changes,
      };
      const response = await client.control('PUT', `/accounts/${account}`, body);
      if (response.status !== 204) throw new Error(await response.text());
    },
    async advance(ms) {
      await client.control('POST', '/clock', { advance_ms: ms });
    },
    async read(psp) {
      const response = await client.control('GET', `/payments/${psp}`);
      return (await response.json()) as Record<string, unknown>;
    },
  };
  await client.configure();
  return client;
}

interface SdkRequestOptions {
  readonly headers?: Record<string, string>;
  readonly idempotencyKey?: string;
}

const TEST_ORIGIN = /^https:\/\/[a-z]+-test\.adyen\.com/;

/** The official SDK. Only its connection is replaced: the SDK insists on HTTPS and Adyen's own host. */
function createSdkClient(url: string, apiKey: string): Client {
  const config = new Config({ apiKey, environment: EnvironmentEnum.TEST });
  const client = new Client(config);
  Object.assign(client.httpClient, {
    createRequest: (endpoint: string, { headers, idempotencyKey }: SdkRequestOptions) =>
      httpRequest(endpoint.replace(TEST_ORIGIN, url), {
        method: 'POST',
        headers: { ...headers, ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }) },
      }),
  });
  return client;
}

export const APPROVED_CARD = '4111111111111111';

/** A valid payment request with manual capture, with changes. A change to undefined removes a member. */
export function createAdyenPayment(
  { account }: AdyenClient,
  {
    paymentMethod = {},
    ...changes
  }: Record<string, unknown> & { paymentMethod?: object | undefined } = {},
): Record<string, unknown> {
  return {
    merchantAccount: account,
    amount: { value: 2499, currency: 'EUR' },
    reference: 'order-1',
    returnUrl: 'https://shop.example/return',
    paymentMethod: {
      type: 'scheme',
      number: APPROVED_CARD,
      expiryMonth: '03',
      expiryYear: '2035',
      cvc: '737',
      holderName: 'A. Payer',
      ...paymentMethod,
    },
    shopperInteraction: 'Ecommerce',
    authenticationData: { attemptAuthentication: 'never' },
    additionalData: { manualCapture: 'true' },
    ...changes,
  };
}

/** Facts that the SDK's exception carries. */
export interface AdyenSdkError {
  readonly statusCode: number;
  readonly errorCode: string;
  readonly responseBody: string;
}

/** The error of a call that must fail. */
export async function adyenErrorOf(call: Promise<unknown>): Promise<AdyenSdkError> {
  return call.then(
    () => {
      throw new Error('The call succeeded.');
    },
    (error: AdyenSdkError) => error,
  );
}
