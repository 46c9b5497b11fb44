import { afterAll, beforeAll, expect } from 'vitest';
import { createSimulator, type Simulator } from '../../src/app.ts';
import { createDataDir, numberOf } from '../client.ts';
import { hasSchemas, schemaErrors } from './schemas.ts';

export const MERCHANT = '01183801';
const LOGIN = { user: 'FLORIN', password: 'cnp-secret-1' };

export interface CnpClient {
  /** Sends a transaction, and returns the members of the response by name. */
  send(transaction: string, options?: object): Promise<CnpResponse>;
  /** Sends a text as it is. */
  post(xml: string): Promise<Response>;
  control(method: string, path: string, body?: unknown): Promise<Response>;
  configure(settings?: object): Promise<void>;
  paymentsOf(id: string): Promise<Readonly<Record<string, unknown>>[]>;
}

/** The response's text, and the text of its elements. */
export interface CnpResponse {
  readonly xml: string;
  readonly header: string | undefined;
  text(name: string): string | undefined;
}

/** A message with one transaction, and changes of its frame. */
export const messageWith = (
  transaction: string,
  { merchant = MERCHANT, password = LOGIN.password } = {},
): string =>
  `<?xml version="1.0"?><cnpOnlineRequest version="12.34" xmlns="http://www.vantivcnp.com/schema" merchantId="${merchant}">` +
  `<authentication><user>${LOGIN.user}</user><password>${password}</password></authentication>${transaction}</cnpOnlineRequest>`;

export const textIn = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`).exec(xml)?.[1];

/** Starts a simulator for a test file, with an account at the stand-in. All messages and responses are validated. */
export function useCnp(): CnpClient {
  let simulator: Simulator;
  const url = (path: string) => `${simulator.url}/worldpay-cnp${path}`;
  const client: CnpClient = {
    post: (xml) =>
      fetch(url('/communicator/online'), {
        method: 'POST',
        headers: { 'content-type': 'text/xml' },
        body: xml,
      }),
    async send(transaction, options) {
      const response = await client.post(messageWith(transaction, options));
      const xml = await response.text();
      if (hasSchemas) expect(schemaErrors(xml)).toEqual([]);
      return {
        xml,
        header: / response="(\d)"/.exec(xml)?.[1],
        text: (name) => textIn(xml, name),
      };
    },
    control: (method, path, body) =>
      fetch(url(`/control${path}`), {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    async configure(settings = {}) {
      const response = await client.control('PUT', `/accounts/${MERCHANT}`, {
        ...LOGIN,
        ...settings,
      });
      if (response.status !== 204) throw new Error(await response.text());
    },
    async paymentsOf(id) {
      const response = await client.control('GET', `/accounts/${MERCHANT}/payments?id=${id}`);
      return (await response.json()) as Readonly<Record<string, unknown>>[];
    },
  };
  beforeAll(async () => {
    simulator = await createSimulator({ dataDir: createDataDir(), port: 0 });
    await client.configure();
  });
  afterAll(() => simulator[Symbol.asyncDispose]());
  return client;
}

/** A card payment. `more` are elements after the card. */
export const paymentOf = (
  kind: 'sale' | 'authorization',
  id: string,
  {
    amount = 2499,
    number = numberOf('pan_test_visa'),
    type = 'VI',
    source = 'ecommerce',
    more = '',
  } = {},
): string =>
  `<${kind} id="${id}" reportGroup="Shop"><orderId>${id}</orderId><amount>${amount}</amount>` +
  `<orderSource>${source}</orderSource><card><type>${type}</type><number>${number}</number>` +
  `<expDate>0635</expDate><cardValidationNum>123</cardValidationNum></card>${more}</${kind}>`;

export const followUpOf = (kind: string, id: string, cnpTxnId = '', amount?: number): string =>
  `<${kind} id="${id}" reportGroup="Shop"><cnpTxnId>${cnpTxnId}</cnpTxnId>` +
  `${amount === undefined ? '' : `<amount>${amount}</amount>`}</${kind}>`;

export const queryOf = (origId: string, more = ''): string =>
  `<queryTransaction id="q" reportGroup="Shop"><origId>${origId}</origId>${more}</queryTransaction>`;
