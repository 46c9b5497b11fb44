import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { networkPaths } from '@florin/contract/protocol/network.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSimulator, type Simulator } from '../src/app.ts';
import { readEnv } from '../src/config/env.ts';
import { responseCodes } from '../src/response-codes.ts';
import { behaviourAmounts } from '../src/threeds/behaviours.ts';
import {
  type Client,
  createAuthorisationRequest,
  createClient,
  createDataDir,
  numberOf,
} from './client.ts';

let simulator: Simulator;
let client: Client;
beforeAll(async () => {
  simulator = await createSimulator({ dataDir: createDataDir(), port: 0 });
  client = createClient(simulator.url);
});
afterAll(() => simulator[Symbol.asyncDispose]());

/** Requests a page from the given host. */
function fetchPage(host: string, path: string, fields?: Record<string, string>) {
  const { port } = new URL(simulator.url);
  return new Promise<{ status: number; html: string; frames: unknown }>((resolve, reject) => {
    const clientRequest = request(
      { port, host: '127.0.0.1', path, method: fields ? 'POST' : 'GET', headers: { host } },
      async (response) =>
        resolve({
          status: response.statusCode ?? 0,
          html: await text(response),
          frames: response.headers['x-frame-options'],
        }),
    );
    clientRequest.on('error', reject);
    clientRequest.end(fields && new URLSearchParams(fields).toString());
  });
}

const encodeBase64url = (value: object): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

describe('an amount selects a behaviour', () => {
  test.each([
    ['frictionless', 'Y', '05', '02'],
    ['rejected', 'N', '07', '00'],
    ['challenge', 'C', '07', '00'],
    ['unattempted', 'R', '07', '00'],
    ['unavailable', 'U', '07', '00'],
    ['attempted', 'A', '06', '01'],
    ['informational', 'I', '07', '06'],
    ['not_enrolled', undefined, '07', '00'],
  ])(
    '%s: %s with ECI %s, or %s of Mastercard',
    async (result, status, eci, mastercardIndicator) => {
      const [amount] =
        Object.entries(behaviourAmounts).find(
          ([, behaviour]) => 'result' in behaviour && behaviour.result === result,
        ) ?? [];
      const expected = { visa: eci, amex: eci, discover: eci, mastercard: mastercardIndicator };
      for (const [brand, indicator] of Object.entries(expected)) {
        const card = { number: numberOf(`pan_test_${brand}`) };
        const answer = await client.authenticate(
          createAuthorisationRequest({ amount: Number(amount), card }),
        );
        expect([brand, answer.trans_status, answer.eci]).toEqual([brand, status, indicator]);
        expect(answer.cavv !== undefined).toBe(status === 'Y' || status === 'A');
      }
    },
  );
});

test('the cryptogram of an approval is refused for any other authorisation', async () => {
  const authentication = await client.authenticate(createAuthorisationRequest());
  const { eci, cavv = '', ds_trans_id = '' } = authentication;
  const authoriseWithProof = (reference: string) =>
    client.authorise({
      ...createAuthorisationRequest(),
      reference,
      authentication: { eci, cavv, transaction_id: ds_trans_id },
    });
  expect((await authoriseWithProof('first')).result).toBe('approved');
  expect((await authoriseWithProof('first')).result).toBe('approved');
  expect((await authoriseWithProof('second')).response_code).toBe(responseCodes.generic_decline);
  await client.reverse('first');
  expect((await authoriseWithProof('third')).result).toBe('approved');
});

describe('the bank', () => {
  test('has its own origin: the network is not there, and its pages are nowhere else', async () => {
    expect((await fetchPage('acs.localhost', networkPaths.health)).status).toBe(404);
    expect((await fetchPage('127.0.0.1', '/challenge/code')).html).toContain('no such path');
  });

  test('sends the browser back only to a web address, and repeats no markup', async () => {
    const createMethodData = (url: string) => ({
      threeDSMethodData: encodeBase64url({
        threeDSServerTransID: '"><script>',
        threeDSMethodNotificationURL: url,
      }),
    });
    const returnPage = await fetchPage(
      'acs.localhost',
      '/method/ok',
      createMethodData('https://pay.example/"><b>'),
    );
    expect(returnPage.html).toContain('action="https://pay.example/&quot;&gt;&lt;b&gt;"');
    expect(
      (await fetchPage('acs.localhost', '/method/ok', createMethodData('javascript:alert(1)')))
        .status,
    ).toBe(400);
    expect(
      (await fetchPage('acs.localhost', '/method/broken', createMethodData('https://a.example')))
        .status,
    ).toBe(500);
  });

  test('rejects a challenge that was never created', async () => {
    const creq = encodeBase64url({ acsTransID: 'nobody' });
    expect((await fetchPage('acs.localhost', '/challenge/code', { creq })).status).toBe(404);
    expect((await fetchPage('acs.localhost', '/challenge/code', { creq: 'x' })).status).toBe(404);
  });

  test('forbids frames on request', async () => {
    expect((await fetchPage('acs.localhost', '/challenge/unframeable')).frames).toBe('DENY');
  });
});

describe('the environment', () => {
  test('with a live key is refused by the name of the variable', () => {
    const key = 'ept_live_sQsnYGFoLvE2Qt7tmsvuDESB';
    expect(() => readEnv({ SHOP_KEY: key })).toThrow(/^SHOP_KEY holds a live key/);
    expect(() => readEnv({ SHOP_KEY: key })).not.toThrow(key);
  });

  test.each(['acs.example.com', 'https://acs.example.com/path', 'ftp://acs.example.com'])(
    'refuses %s as the origin of the bank',
    (SIMULATOR_ACS_URL) => {
      expect(() => readEnv({ SIMULATOR_ACS_URL })).toThrow('SIMULATOR_ACS_URL');
    },
  );
});
