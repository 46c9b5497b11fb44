import { describe, expect, it } from 'vitest';
import { adapters } from './index.ts';

/** Ids as the pages of each processor show them, and texts that people could take for one. */
const IDS: Readonly<Record<string, readonly [id: string, ...others: string[]]>> = {
  adyen: ['QFQTPCQ8HXSKGK82', '0193e5a0-0000-7000-8000-000000000001', 'qfqtpcq8hxskgk82', 'PSP1'],
  checkout_com: [
    'pay_mbabizu24mvu3mela5njyhpit4',
    'act_mbabizu24mvu3mela5njyhpit4',
    'sid_mbabizu24mvu3mela5njyhpit4',
    'AZPloAAAcACAAAAAAAAAAQ',
  ],
  worldpay_cnp: ['84568456', '8836211987654321XYZ', '12345678901234567890'],
};

describe.each(Object.values(adapters).map(({ metadata }) => [metadata.name, metadata] as const))(
  'payments at %s',
  (name, { payment_ids }) => {
    const [id = '', ...others] = IDS[name] ?? [];
    const referenceOf = (text: string) => payment_ids?.referenceOf(text, { is_captured: true });

    it('are found by the id that people see there', () => {
      expect(referenceOf(id)).toContain(id);
    });

    it.each(others)('are not found by %s', (other) => {
      expect(referenceOf(other)).toBeUndefined();
    });
  },
);
