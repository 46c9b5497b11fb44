import assert from 'node:assert/strict';
import { findEgressViolation } from '@florin/contract/protocol/egress-rules.ts';
import { findOpenLogin } from '@florin/contract/protocol/open-login.ts';
import { walletKinds } from '@florin/contract/protocol/vault.ts';
import type { AccountProcessor } from './account-processor.ts';
import { networkTokenInputs } from './conformance-network-tokens.ts';
import type { WireRequest } from './message.ts';
import type { AuthoriseInput, FollowUpInput, Processor } from './processor.ts';
import type { AccountReports } from './reports/reports.ts';

/** Messages by name; undefined where the processor does not have the operation. */
type Messages = readonly (readonly [string, WireRequest | undefined])[];

/** A check that the egress rules of an account allow all of its messages. None for a processor without rules. */
export function egressCases(
  processor: Processor & Partial<Pick<AccountProcessor, 'egress' | 'check' | 'reports'>>,
  input: AuthoriseInput & FollowUpInput,
): { readonly name: string; run(): void }[] {
  const { egress } = processor;
  if (!egress) return [];
  const loginCase = {
    name: 'the egress rules name their login, and let no other through',
    run() {
      for (const rule of egress) {
        const fault = findOpenLogin(rule);
        assert.equal(fault && `${rule.path} ${fault}`, undefined);
      }
    },
  };
  const messageCases = messagesOf(processor, input).map(([name, request]) => ({
    name: `the egress rules allow ${name}`,
    run() {
      if (!request) return;
      // The vault finds the rules of a message by its account.
      assert.ok(request.credentials, 'the message names no account');
      const violation = findEgressViolation(egress, request, new URL(request.url));
      assert.equal(violation?.detail, undefined);
    },
  }));
  return [loginCase, ...messageCases];
}

function messagesOf(
  {
    metadata,
    authorise,
    check,
    inquire,
    reverse,
    refund,
    capture,
    reports,
    changes,
  }: Parameters<typeof egressCases>[0],
  input: AuthoriseInput & FollowUpInput,
): Messages {
  const { processor_reference: _, ...unreferenced } = input;
  const charge = { ...input, initiated_by_merchant: { network_transaction_id: '012345678901234' } };
  return [
    ['authorise', authorise.mapRequest(input)],
    ['authorise a hold', authorise.mapRequest({ ...input, capture: false })],
    ['authorise of a merchant', authorise.mapRequest(charge)],
    ...walletKinds.map(
      (kind) =>
        [
          `authorise with ${kind}`,
          authorise.mapRequest({ ...input, wallet: { kind, cryptogram: true } }),
        ] as const,
    ),
    ...networkTokenInputs({ metadata }, input).map(
      ([name, payment]) => [`authorise with ${name}`, authorise.mapRequest(payment)] as const,
    ),
    ['check', check?.mapRequest()],
    ['reverse', reverse.mapRequest(input)],
    ['reverse without a reference', reverse.mapRequest(unreferenced)],
    ['inquire', inquire?.mapRequest(input)],
    ['inquire without a reference', inquire?.mapRequest(unreferenced)],
    ['refund', refund.send.mapRequest(input)],
    ['inquireRefund', refund.inquire?.mapRequest(input)],
    ['capture', capture.send.mapRequest(input)],
    ['inquireCapture', capture.inquire?.mapRequest(input)],
    ['changes', changes?.mapRequest(input)],
    ['a list of reports', reports?.list?.mapRequest({ ...PERIOD, page: '2' })],
    ['a download', reports && downloadOf(reports)],
  ];
}

const PERIOD = { from: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' };

/** A report that the processor would announce or list. Nothing is downloaded where a setting is missing. */
function downloadOf({ announced, download, missingSetting }: AccountReports) {
  if (missingSetting() !== undefined) return undefined;
  const name = 'settlement_detail_report_batch_1.csv';
  return download.mapRequest(announced?.(name) ?? { name, location: 'rpt_1/files/file_1' });
}
