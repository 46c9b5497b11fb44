import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Resource } from '@florin/contract/resources/define-resource.ts';
import { resources } from '@florin/contract/resources/index.ts';
import { expect, it } from 'vitest';
import { actionKey, typeOf } from './action-key.ts';

const texts: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'texts/en.json'), 'utf8'),
);

it.each([
  ['PATCH /v2/customers/:id', 'Changed a customer', 'customers'],
  ['POST /v2/payment_demands/:id/void', 'Voided an authorisation', 'payment_demands'],
  ['POST /v2/disputes/:id/files', 'Uploaded a dispute file', 'disputes'],
  ['DELETE /dashboard/api/account/passkeys/:id', 'Removed a passkey', undefined],
  [
    'POST /dashboard/api/payments/:id/card-form',
    'Opened the card form of a payment',
    'payment_demands',
  ],
  ['POST /dashboard/api/invitations/:merchant/:id/accept', 'Accepted an invitation', undefined],
])('%s is shown as a sentence', (action, text, type) => {
  expect(texts[actionKey(action)]).toBe(text);
  expect(typeOf(action)).toBe(type);
});

it.each([
  ['POST /v2/customer_merges', true, 'Previewed a merge of customers'],
  ['POST /v2/customer_merges', false, 'Merged customers'],
  ['POST /v2/subscription_changes', true, 'Previewed a change of plan'],
  ['POST /v2/subscription_changes', false, 'Changed a plan'],
])('%s with dry_run %s is shown as a sentence', (action, dry_run, text) =>
  expect(texts[actionKey(action, dry_run)]).toBe(text),
);

it('every write of the interface has a sentence', () => {
  const actions = Object.values<Resource>(resources).flatMap(
    ({ type, operations, actions = {} }) => [
      ...(operations.includes('create') ? [`POST /v2/${type}`] : []),
      ...(operations.includes('update') ? [`PATCH /v2/${type}/:id`] : []),
      ...Object.keys(actions).map((name) => `PATCH /v2/${type}/:id/${name}`),
    ],
  );
  expect(actions.filter((action) => !texts[actionKey(action)])).toEqual([]);
});

/** Table of all addresses, with their methods. */
const ADDRESSES = join(
  import.meta.dirname,
  '../../../../server/tests/security/dashboard-access.ts',
);
/** Addresses that the log does not record, or only without a person. */
const UNRECORDED = /links\/look|passkey\/options|\/operator\//;

it('every recorded write of a member to the dashboard has a sentence', () => {
  const addresses = readFileSync(ADDRESSES, 'utf8').matchAll(
    /'((?:POST|PUT|PATCH|DELETE) \/dashboard\/api\/[^' ]+)/g,
  );
  const actions = [...addresses].flatMap(([, action = '']) => action);
  expect(actions.length).toBeGreaterThan(20);
  const recorded = actions.filter((action) => !UNRECORDED.test(action));
  expect(recorded.filter((action) => !texts[actionKey(action)])).toEqual([]);
});
