import { describe, expect, it } from 'vitest';
import type { Resource } from '../../../api/types.ts';
import { historyOf } from './history.ts';

const attempt = (status: string, detail: string | null) =>
  ({
    type: 'payment_attempts',
    id: `attempt of ${detail}`,
    attributes: { operation: 'authorise', status },
    relationships: {
      processor_detail: { data: detail && { type: 'processor_details', id: detail } },
    },
  }) as unknown as Resource;
const account = (id: string, attributes: object) =>
  ({ type: 'processor_details', id, attributes }) as unknown as Resource;

describe('the history of a payment', () => {
  it.each([
    ['takes one capture', { several_captures: false }, true, false],
    ['takes several captures', { several_captures: true }, false, false],
    ['is the simulated network', { several_captures: null }, false, false],
    ['is removed', { several_captures: true, removed_at: '2031-01-01' }, false, true],
  ])('says that the account that approved it %s', (_, attributes, once, removed) => {
    const other = account('other', { several_captures: !once, removed_at: '2031-01-01' });
    const included = [
      ...[attempt('declined', 'other'), other],
      ...[attempt('approved', 'own'), account('own', attributes)],
    ];
    const { isCapturedOnce, isAccountRemoved } = historyOf(included);
    expect([isCapturedOnce, isAccountRemoved]).toEqual([once, removed]);
  });

  it('says nothing about an account that the person may not read', () => {
    expect(historyOf([attempt('approved', 'own')])).toMatchObject({
      isCapturedOnce: false,
      isAccountRemoved: false,
    });
  });
});
