import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../src/platform/database/row.ts';
import { openChallenge } from '../support/bank.ts';
import { callPay } from '../support/form.ts';
import { rawRequest } from '../support/raw-request.ts';
import {
  amounts,
  cancel,
  handleOf,
  resultOf,
  useBank,
  type Verified,
  verify,
} from '../support/threeds.ts';

const bank = useBank();
const RUNS = 20;

/** Members in which a browser might claim a result. */
const claims = [
  'transStatus',
  'trans_status',
  'status',
  'cavv',
  'eci',
  'authentication',
  'session',
];
const anyValue = fc.oneof(fc.jsonValue(), fc.constantFrom('Y', 'A', '05', 'authenticated'));
const anyClaim = fc.dictionary(fc.oneof(fc.constantFrom(...claims), fc.string()), anyValue);

interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Members that a form with a session would send beside the claim. */
  readonly own: object;
}

/** Every route from a browser to a challenge, except cancelling it with the form's session. */
function routesOf(verified: Verified, other: Verified): Route[] {
  const handle = handleOf(verified);
  const pages = ['', '/done', '/tab', '/unframed', '/x'];
  const { session } = verified;
  return [
    ...['challenge', 'method'].flatMap((way) =>
      pages.flatMap((page) =>
        (['GET', 'POST'] as const).map((method) => ({
          method,
          path: `/threeds/v1/${way}/${handle}${page}`,
          own: {},
        })),
      ),
    ),
    { method: 'POST', path: `/threeds/v1/results/${handle}`, own: {} },
    { method: 'POST', path: '/frame/v1/challenge', own: { session, authentication: handle } },
    { method: 'POST', path: '/frame/v1/challenge', own: { session } },
    { method: 'POST', path: '/frame/v1/challenge/cancel', own: { session } },
    {
      method: 'POST',
      path: '/frame/v1/challenge/cancel',
      own: { session: other.session, authentication: handle },
    },
    { method: 'POST', path: '/frame/v1/challenge/cancel', own: { authentication: handle } },
    { method: 'POST', path: '/frame/v1/abandon', own: { session } },
    {
      method: 'POST',
      path: '/frame/v1/abandon',
      own: { session: other.session, authentication: handle },
    },
    { method: 'POST', path: '/frame/v1/fingerprint', own: { session } },
    { method: 'POST', path: '/frame/v1/verify', own: { session } },
    { method: 'POST', path: '/frame/v1/status', own: { session } },
  ];
}

const types = ['application/json', 'application/x-www-form-urlencoded', 'text/plain'] as const;

const stringsOf = (fields: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );

/** Sends a claim, which never overwrites the route's own members. */
function send({ method, path, own }: Route, type: (typeof types)[number], claim: object) {
  const { payUrl } = bank.stand.place;
  const fields = { ...claim, ...own };
  const body =
    type === 'application/x-www-form-urlencoded'
      ? new URLSearchParams(stringsOf(fields))
      : JSON.stringify(fields);
  return rawRequest(payUrl, {
    method,
    path:
      method === 'GET' ? `${path}?${new URLSearchParams({ claim: JSON.stringify(claim) })}` : path,
    headers: { host: new URL(payUrl).host, 'content-type': type },
    ...(method === 'POST' && { body: body.toString() }),
  });
}

const rowOf = async ({ payment }: Verified): Promise<Row> =>
  (await bank.authenticationsOf(payment))[0] as Row;

/** All columns of a challenge except its due time, which the browser's return brings forward. */
async function decisionOf(verified: Verified): Promise<Row> {
  const { due_at, updated_at, ...decision } = await rowOf(verified);
  return decision;
}

describe('an open challenge', () => {
  it('is decided by no request of a browser, to any address in any form', async () => {
    const [verified, other] = [
      await verify(bank.stand, amounts.challenge),
      await verify(bank.stand, amounts.challenge),
    ];
    for (const { answer } of [verified, other]) await openChallenge(bank.stand.place, answer);
    const routes = routesOf(verified, other);
    const before = await decisionOf(verified);
    expect(before.status).toBe('challenged');
    const attack = async (route: Route, type: (typeof types)[number], claim: object) => {
      const { status, text } = await send(route, type, claim);
      expect(status).toBeLessThan(500);
      expect(text).not.toContain('"result":"verified"');
      expect(await decisionOf(verified)).toEqual(before);
    };
    // Each address once with the directory server's own result, then all of them with anything.
    const genuine = resultOf(await rowOf(verified));
    for (const [at, route] of routes.entries()) {
      await attack(route, types[at % types.length] as 'text/plain', genuine);
    }
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...routes),
        fc.constantFrom(...types),
        anyClaim,
        (route, type, claim) => attack(route, type, claim),
      ),
      { numRuns: RUNS },
    );
    expect((await cancel(bank.stand, verified)).detail.code).toBe('challenge_cancelled');
    expect((await rowOf(other)).status).toBe('challenged');
  });

  it('is not found by the reference of another payment, or a changed one', async () => {
    const verified = await verify(bank.stand, amounts.challenge);
    const handle = handleOf(verified);
    const before = await decisionOf(verified);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(handle.length - 1),
        fc.constantFrom('A', 'b', '.', ''),
        async (at, to) => {
          fc.pre(handle[at] !== to);
          const authentication = handle.slice(0, at) + to + handle.slice(at + 1);
          const call = { session: verified.session, authentication };
          const { status } = await callPay(bank.stand.place, '/frame/v1/challenge/cancel', call);
          expect(status).toBe(422);
          expect(await decisionOf(verified)).toEqual(before);
        },
      ),
      { numRuns: RUNS },
    );
  });
});
