import { expect, it } from 'vitest';
import type { Me } from '../api/session.ts';
import { openScope } from './scope-of.ts';

const READ = 'transaction.payment_demands.read';

const member = (attributes: object = {}): Me =>
  ({
    account: { operator: false },
    merchants: [
      {
        id: 'engines',
        permissions: [READ],
        modes: ['sandbox', 'live'],
        standing: {},
        live_needs_factor: null,
        ...attributes,
      },
    ],
  }) as unknown as Me;
const operator = { account: { operator: true }, merchants: [] } as unknown as Me;

it.each([
  ['a member with the permission', member(), READ, 'live', true],
  ['a member without the permission', member(), 'user.merchants.read', 'live', false],
  ['a member of the sandbox, in live mode', member({ modes: ['sandbox'] }), READ, 'live', false],
  ['an operator who visits', operator, READ, 'live', true],
  ['a person before the sign-in', undefined, READ, 'live', false],
  [
    'a member whose second factor is due, in live mode',
    member({ live_needs_factor: { is_due: true } }),
    READ,
    'live',
    false,
  ],
  [
    'a member whose second factor is due, in the sandbox',
    member({ live_needs_factor: { is_due: true } }),
    READ,
    'sandbox',
    true,
  ],
  ['a member in an unknown mode', member(), READ, 'elsewhere', false],
])('%s', (_who, me, permission, mode, isOpen) =>
  expect(openScope({ permission }, me, 'engines', mode) !== undefined).toBe(isOpen),
);

it('a page with parts for nobody here is not open', () =>
  expect(openScope({ isAllowed: () => false }, member(), 'engines', 'live')).toBeUndefined());
