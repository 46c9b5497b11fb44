import { expect, it } from 'vitest';
import type { Row } from '../../../platform/database/row.ts';
import {
  type DueReason,
  type ProcessFacts,
  reasonToWait,
  type StoredFacts,
} from './decide-submission.ts';

const payment: Row = {
  merchant_id: 'merchant',
  mode: 'sandbox',
  payer_id: 'payer',
  status: 'pending',
  initiator: 'customer',
};
const process: ProcessFacts = {
  sends: true,
  vault_up: true,
  on_timeline: false,
  within: undefined,
  free: 1,
};
const stored: StoredFacts = {
  status_shared: true,
  stopped: false,
  limited: false,
  card_locked: true,
};
const clocks = (merchants: string[], customers: string[]) =>
  ({ of: 'default', merchants, customers }) as const;

interface Case {
  readonly payment?: Row;
  readonly process?: Partial<ProcessFacts>;
  readonly stored?: Partial<StoredFacts>;
}

const cases: readonly (readonly [string, Case, DueReason | undefined])[] = [
  ['a confirmed payment', {}, undefined],
  ['an incomplete intent', { payment: { status: 'incomplete' } }, 'not_confirmed'],
  ['a complete intent', { payment: { status: 'ready' } }, 'not_confirmed'],
  ['a charge by the merchant', { payment: { initiator: 'merchant' } }, 'by_merchant'],
  ['a process that ends', { process: { sends: false } }, 'not_sending'],
  ['a vault that is down', { process: { vault_up: false } }, 'vault_down'],
  ['a payment at the time of a clock', { process: { on_timeline: true } }, 'sandbox_clock'],
  ['a clock of the merchant', { process: { within: clocks(['merchant'], []) } }, 'sandbox_clock'],
  ['a clock of the payer', { process: { within: clocks([], ['payer']) } }, 'sandbox_clock'],
  ['clocks of others', { process: { within: clocks(['another'], ['another']) } }, undefined],
  [
    'a clock of the merchant, in live mode',
    { payment: { mode: 'live' }, process: { within: clocks(['merchant'], []) } },
    undefined,
  ],
  [
    'rows of a single clock',
    { process: { within: { of: 'merchant', merchant_id: 'merchant', customers: [] } } },
    'sandbox_clock',
  ],
  ['no free slot', { process: { free: 0 } }, 'no_slot'],
  ['more messages than slots', { process: { free: -3 } }, 'no_slot'],
  ['an action that is being taken', { stored: { status_shared: false } }, 'status_changing'],
  ['a merchant in quarantine', { stored: { stopped: true } }, 'stopped'],
  ['velocity limits', { stored: { limited: true } }, 'velocity_limits'],
  ['a card whose payments another counts', { stored: { card_locked: false } }, 'card_in_use'],
];

it.each(cases)('%s: %j is %s', (_name, given, expected) => {
  const reason = reasonToWait(
    { ...payment, ...given.payment },
    { ...process, ...given.process },
    { ...stored, ...given.stored },
  );
  expect(reason).toBe(expected);
});

it('facts of the process decide before the database is asked', () => {
  expect(reasonToWait(payment, process)).toBe(undefined);
  expect(reasonToWait(payment, { ...process, vault_up: false })).toBe('vault_down');
});
