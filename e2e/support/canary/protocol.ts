import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { type FrameConfig, sidOf, type VerifyAnswer } from '@florin/contract/protocol/frame.ts';
import type { Processes } from '@florin/dev-env/start-processes.ts';
import { createSealer } from '@florin/hosted-fields/seal/sealer.ts';
import type { CanaryCard } from './cards.ts';

export interface PayAnswer {
  readonly status: number;
  readonly text: string;
  /** Names and values of the response headers as text. */
  readonly headerText: string;
}

interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** Sends one raw request to an origin of Florin. */
export function call(
  origin: string,
  method: string,
  path: string,
  { headers = {}, body, signal }: CallOptions = {},
): Promise<PayAnswer> {
  const { host, port } = new URL(origin);
  const { promise, resolve, reject } = Promise.withResolvers<PayAnswer>();
  const options = { host: '127.0.0.1', port, method, path, agent: false, signal };
  request({ ...options, headers: { host, 'user-agent': 'e2e/1', ...headers } }, (response) => {
    const status = response.statusCode ?? 0;
    const headerText = response.rawHeaders.join('\n');
    text(response).then((answer) => resolve({ status, text: answer, headerText }), reject);
  })
    .on('error', reject)
    .end(body);
  return promise;
}

/** Maximum loads of the form on a busy machine. */
const LOADS_MAX = 5;

/** Loads the form of a payment as a browser does. */
export async function mount(
  { payUrl, credentials }: Processes,
  paymentId: string,
): Promise<FrameConfig> {
  const path = `/pay/${paymentId}?key=${credentials.sandbox.publishable_key}`;
  let status = 0;
  for (let loads = 0; loads < LOADS_MAX; loads++) {
    const page = await call(payUrl, 'GET', path);
    const json = /id="florin-config">(.*?)<\/script>/s.exec(page.text)?.[1];
    if (json) return JSON.parse(json) as FrameConfig;
    status = page.status;
  }
  throw new Error(`the form's page was answered with ${status}`);
}

export const EXPIRY = '12/39';

/** Returns the two sealed parts of a card. The form's own code seals them. */
export const sealFor = (
  { sealing_key, session }: FrameConfig,
  { number, cvv }: CanaryCard,
  expiry = EXPIRY,
) =>
  createSealer({ key: sealing_key, sid: sidOf(session) }, Date.now).seal({ number, cvv, expiry });

/** Sends the form's verification request; `overrides` replaces parts of it. */
export async function verify(
  { payUrl }: Processes,
  config: FrameConfig,
  sealed: object,
  overrides: object = {},
): Promise<PayAnswer & { readonly result: string | undefined }> {
  const body = { session: config.session, timezone: 'Europe/Vienna', ...sealed, ...overrides };
  const answer = await call(payUrl, 'POST', config.verify_url, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { ...answer, result: resultOf(answer.text) };
}

const resultOf = (answer: string): string | undefined =>
  (JSON.parse(answer) as Partial<VerifyAnswer>).result;
