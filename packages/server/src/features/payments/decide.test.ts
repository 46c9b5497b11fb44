import { describe, expect, it } from 'vitest';
import type { Row } from '../../platform/database/row.ts';
import { seconds } from '../../platform/time/clock.ts';
import { authenticatedByWallet } from './columns.ts';
import { allowedActions, intentTrigger, missingForConfirm, pointerOf } from './decide.ts';

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
  threeds_version: '2.2.0',
  threeds_status: 'Y',
  eci: '05',
  directory_transaction_eid: 'd',
  acs_transaction_eid: 's',
};

describe('the missing requirements of a payment before its confirmation', () => {
  it('are none with purchase, payer, method and billing address', () => {
    expect(missingForConfirm(completeRow, 'when_available', now)).toEqual([]);
  });
  it.each([
    'purchase_reference',
    'purchase_kind',
    'payer_id',
    'payment_method_id',
    'billing_address_id',
  ])('is %s', (column) => {
    expect(missingForConfirm({ ...completeRow, [column]: null }, 'off', now)).toEqual([column]);
  });
  it('include the results of 3-D Secure only if the merchant requires them', () => {
    expect(missingForConfirm(completeRow, 'required', now)).toEqual(Object.keys(authenticatedRow));
    expect(missingForConfirm({ ...completeRow, ...authenticatedRow }, 'required', now)).toEqual([]);
  });
  it("accept a wallet's authentication instead, while its cryptogram is stored", () => {
    const walletRow = { ...completeRow, ...authenticatedByWallet('05', now) };
    const missingColumns = (row: Row, minutes: number) =>
      missingForConfirm(row, 'required', now + seconds(minutes * 60));
    expect(missingColumns(walletRow, 13)).toEqual([]);
    expect(missingColumns(walletRow, 15)).toContain('threeds_status');
    // A wallet's authentication does not count beside an authentication by the client.
    const rowOfBoth = { ...authenticatedRow, ...walletRow };
    expect(missingColumns(rowOfBoth, 15)).toEqual(['threeds_status']);
    expect(missingColumns({ ...walletRow, wallet_until: null }, 0)).toContain('threeds_status');
  });
});

describe('the state of an intent', () => {
  it.each([
    ['incomplete', completeRow, 'complete'],
    ['incomplete', {}, undefined],
    ['ready', completeRow, undefined],
    ['ready', {}, 'reopen'],
    ['failed', completeRow, undefined],
  ])('from %s follows its contents', (status, row, trigger) => {
    expect(intentTrigger({ ...row, status }, 'off', now)).toBe(trigger);
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
