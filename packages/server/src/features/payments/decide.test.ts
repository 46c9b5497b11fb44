import { describe, expect, it } from 'vitest';
import type { Row } from '../../platform/database/row.ts';
import { seconds } from '../../platform/time/clock.ts';
import { authenticatedByWallet } from './columns.ts';
import { allowedActions, confirmationProblems, intentTrigger, pointerOf } from './decide.ts';

const now = 1_795_232_640_000_000;
const completeRow = {
  status: 'incomplete',
  purchase_reference: 'order-1',
  purchase_kind: 'order',
  payer_id: 'p',
  payment_method_id: 'm',
  billing_address_id: 'a',
};
const authenticatedRow = {
  threeds_source: 'verified',
  threeds_version: '2.2.0',
  threeds_status: 'Y',
  eci: '05',
  directory_transaction_eid: 'd',
  acs_transaction_eid: 's',
};

const off = { threeds: 'off' } as const;
const required = { threeds: 'required' } as const;

/** Columns that have no value. */
const missingColumns = (...input: Parameters<typeof confirmationProblems>): string[] =>
  confirmationProblems(...input)
    .filter(({ code }) => code === 'blank')
    .map(({ source }) => (source as { pointer: string }).pointer.replace(/.*\//, ''));

describe('the missing requirements of a payment before its confirmation', () => {
  it('are none with purchase, payer, method and billing address', () => {
    expect(confirmationProblems(completeRow, { threeds: 'when_available' }, now)).toEqual([]);
  });
  it.each([
    'purchase_reference',
    'purchase_kind',
    'payer_id',
    'payment_method_id',
    'billing_address_id',
  ])('is %s', (column) => {
    const name = column.replace(/_id$/, '');
    expect(missingColumns({ ...completeRow, [column]: null }, off, now)).toEqual([name]);
  });
  it('include the results of 3-D Secure only if the merchant requires them', () => {
    expect(missingColumns(completeRow, required, now)).toEqual([
      'threeds_version',
      'threeds_status',
      'eci',
      'directory_transaction_eid',
      'acs_transaction_eid',
    ]);
    const row = { ...completeRow, ...authenticatedRow };
    expect(confirmationProblems(row, required, now)).toEqual([]);
  });
  it("accept a wallet's authentication instead, while its cryptogram is stored", () => {
    const walletRow = { ...completeRow, ...authenticatedByWallet('05', now) };
    const missingAfter = (row: Row, minutes: number) =>
      missingColumns(row, required, now + seconds(minutes * 60));
    expect(missingAfter(walletRow, 13)).toEqual([]);
    expect(missingAfter(walletRow, 15)).toContain('threeds_status');
    // A wallet's authentication does not count beside an authentication by the client.
    const rowOfBoth = { ...authenticatedRow, ...walletRow };
    expect(missingAfter(rowOfBoth, 15)).toEqual(['threeds_status']);
    expect(missingAfter({ ...walletRow, wallet_until: null }, 0)).toContain('threeds_status');
  });
});

/** All values of transStatus, and of `threeds_status` besides. Only the first two are a proof. */
const statuses = ['Y', 'A', 'N', 'R', 'U', 'I', 'C', 'D', 'S', 'not_enrolled', 'wallet', 'y'];
const proven = ['Y', 'A'];

const { wallet_until } = authenticatedByWallet('05', now - seconds(60 * 60));
const expiredWallet: Row = { wallet_until: wallet_until as string };

describe('a policy that requires 3-D Secure', () => {
  const paths: readonly (readonly [string, Row, readonly string[]])[] = [
    ['a card', {}, proven],
    ['a card that pays by telephone', { sales_channel: 'telephone' }, proven],
    ['a wallet whose cryptogram has expired', expiredWallet, proven],
    ['a network token, whose cryptogram is none of 3-D Secure', { kind: 'network_token' }, proven],
    ['a charge without the payer', { initiator: 'merchant' }, statuses],
  ];
  it.each(paths)('accepts of %s only some results', (_, row, accepted) => {
    const payment = { ...completeRow, ...authenticatedRow, ...row };
    const acceptedStatuses = statuses.filter(
      (threeds_status) =>
        confirmationProblems({ ...payment, threeds_status }, required, now).length === 0,
    );
    expect(acceptedStatuses).toEqual(accepted);
    const triggers = statuses.map((threeds_status) =>
      intentTrigger({ ...payment, threeds_status }, required, now),
    );
    expect(triggers.filter((trigger) => trigger === 'complete')).toHaveLength(accepted.length);
  });
});

it.each([
  ['verified', false, true],
  ['asserted', false, false],
  ['asserted', true, true],
  [null, false, false],
])(
  'a result that is %s, with asserted ones accepted: %s, satisfies it: %s',
  (threeds_source, accepts_asserted_threeds, isSatisfied) => {
    const payment = { ...completeRow, ...authenticatedRow, threeds_source };
    const rules = { ...required, accepts_asserted_threeds };
    const codes = confirmationProblems(payment, rules, now).map(({ code }) => code);
    expect(codes).toEqual(isSatisfied ? [] : ['authentication_required']);
    const refused = confirmationProblems({ ...payment, threeds_status: 'N' }, rules, now);
    expect(refused.map(({ code }) => code)).toEqual(['authentication_required']);
  },
);

describe('the state of an intent', () => {
  it.each([
    ['incomplete', completeRow, 'complete'],
    ['incomplete', {}, undefined],
    ['ready', completeRow, undefined],
    ['ready', {}, 'reopen'],
    ['failed', completeRow, undefined],
  ])('from %s follows its contents', (status, row, trigger) => {
    expect(intentTrigger({ ...row, status }, off, now)).toBe(trigger);
  });
});

it.each([
  ['payer_id', '/data/relationships/payer'],
  ['purchase_kind', '/data/attributes/purchase_kind'],
])('column %s has the pointer %s', (column, pointer) => {
  expect(pointerOf(column)).toBe(pointer);
});

it.each([
  ['incomplete', ['update', 'confirm', 'cancel']],
  ['failed', ['update', 'confirm']],
  ['pending', []],
  ['authorised', ['capture', 'void']],
  ['succeeded', ['refund']],
])('in state %s a client may ask for %j', (status, actions) => {
  expect(allowedActions(status)).toEqual(actions);
});
