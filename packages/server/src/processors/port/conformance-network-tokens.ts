import assert from 'node:assert/strict';
import type { ConformanceCase, TestedProcessor } from './conformance-input.ts';
import type { AuthoriseInput } from './processor.ts';

/** Result of an authentication that stands beside a network token. */
const authentication = {
  version: '2.2.0',
  status: 'Y',
  eci: '02',
  cryptogram: 'AJkBBkhgQQAAAE4gSEJydQAAAAA=',
  directory_transaction_eid: '8f5d7a3e-1111-4222-8333-444455556666',
};
const initiated_by_merchant = { network_transaction_id: '012345678901234' };

/** Payments with each network token that a processor takes, by name. */
export const networkTokenInputs = (
  { metadata }: Pick<TestedProcessor, 'metadata'>,
  input: AuthoriseInput,
): readonly (readonly [string, AuthoriseInput])[] =>
  metadata.capabilities.network_tokens.flatMap((network) => {
    const byPayer = { ...input, network, network_token: { cryptogram: true } };
    const byMerchant = { ...input, network, network_token: { cryptogram: false } };
    return [
      [`a network token of ${network}`, byPayer],
      [`an authenticated network token of ${network}`, { ...byPayer, authentication }],
      [`a stored network token of ${network}`, { ...byMerchant, initiated_by_merchant }],
    ] as const;
  });

/** Cases of merchants' network tokens, which have no verification value. None for processors without them. */
export const networkTokenCases = (
  processor: TestedProcessor,
  input: AuthoriseInput,
): ConformanceCase[] =>
  networkTokenInputs(processor, input).map(([name, payment]) => ({
    name: `${name} has its cryptogram only if the payer pays, and never a verification value`,
    run() {
      const { card_fields, body } = processor.authorise.mapRequest(payment);
      const fields = Object.values(card_fields);
      assert.equal(fields.includes('cryptogram'), payment.network_token?.cryptogram);
      assert.ok(fields.includes('pan') && !fields.includes('cvv'));
      const text = JSON.stringify(body);
      assert.equal(text.includes(authentication.cryptogram), payment.authentication !== undefined);
    },
  }));
