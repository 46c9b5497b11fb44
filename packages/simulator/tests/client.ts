import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sandboxCardByToken } from '@florin/contract/card/sandbox-cards.ts';
import {
  type AuthenticationAnswer,
  type AuthorisationAnswer,
  type AuthorisationRequest,
  type FollowUpAnswer,
  type FollowUpRequest,
  type NetworkCounts,
  networkPaths,
} from '@florin/contract/protocol/network.ts';

export const createDataDir = (): string => mkdtempSync(join(tmpdir(), 'florin-simulator-'));

export const numberOf = (token: string): string => sandboxCardByToken(token)?.number ?? '';

let referenceCount = 0;
/** A refund of 100 minor units, with changes. */
export const createRefundRequest = (changes: Partial<FollowUpRequest> = {}): FollowUpRequest => ({
  reference: `refund-${++referenceCount}`,
  amount: 100,
  currency: 'USD',
  ...changes,
});

/** A valid authorisation of the Visa test card, with changes. */
export function createAuthorisationRequest(
  changes: Partial<Omit<AuthorisationRequest, 'card'>> & {
    card?: Partial<AuthorisationRequest['card']>;
  } = {},
): AuthorisationRequest {
  const { card, ...requestChanges } = changes;
  return {
    reference: `attempt-${++referenceCount}`,
    amount: 2499,
    currency: 'USD',
    card: {
      number: numberOf('pan_test_visa'),
      cvv: '123',
      expiry_month: '12',
      expiry_year: '2030',
      ...card,
    },
    capture: true,
    ...requestChanges,
  };
}

export interface Client {
  sendRaw(method: string, path: string, body?: unknown): Promise<Response>;
  authorise(request: AuthorisationRequest): Promise<AuthorisationAnswer>;
  authenticate(request: AuthorisationRequest): Promise<AuthenticationAnswer>;
  reverse(reference: string): Promise<AuthorisationAnswer>;
  inquire(reference: string): Promise<AuthorisationAnswer | 'not_found'>;
  refund(authorisation: string, request: FollowUpRequest): Promise<FollowUpAnswer>;
  capture(authorisation: string, request: FollowUpRequest): Promise<FollowUpAnswer>;
  inquireRefund(reference: string): Promise<FollowUpAnswer | 'not_found'>;
  readCounts(): Promise<NetworkCounts>;
}

export function createClient(url: string): Client {
  const sendRaw: Client['sendRaw'] = (method, path, body) =>
    fetch(url + path, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await sendRaw(method, path, body);
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }
  async function find<T>(path: string): Promise<T | 'not_found'> {
    const response = await sendRaw('GET', path);
    return response.status === 404 ? 'not_found' : ((await response.json()) as T);
  }
  return {
    sendRaw,
    authorise: (request) => call('POST', networkPaths.authorisations, request),
    authenticate: ({ reference, amount, currency, card: { cvv, ...card } }) =>
      call('POST', networkPaths.authentications, { reference, amount, currency, card }),
    reverse: (reference) => call('POST', networkPaths.reverse(reference)),
    inquire: (reference) => find(`${networkPaths.authorisations}/${reference}`),
    refund: (authorisation, request) =>
      call('POST', networkPaths.refundsOf(authorisation), request),
    capture: (authorisation, request) =>
      call('POST', networkPaths.capturesOf(authorisation), request),
    inquireRefund: (reference) => find(`${networkPaths.refunds}/${reference}`),
    readCounts: () => call('GET', networkPaths.books),
  };
}
