import { findEgressViolation } from '@florin/contract/protocol/egress-rules.ts';
import { disputeFilePurposes } from '@florin/contract/resources/dispute-files.ts';
import { evidenceFields } from '@florin/contract/resources/disputes.ts';
import { describe, expect, it } from 'vitest';
import type {
  AnswerProgress,
  DisputeAnswer,
  EvidenceFile,
  StepResult,
  StepState,
} from '../port/disputes.ts';
import type { WireAnswer } from '../port/message.ts';
import { adapters } from './index.ts';

const FILE_ID = '01935f00-0000-7000-8000-000000000001';
const file: EvidenceFile = { id: FILE_ID, purpose: 'receipt', content_type: 'application/pdf' };
const settings: Readonly<Record<string, Record<string, string>>> = {
  checkout_com: { api_url: 'https://abcd.api.checkout.com', processing_channel_id: 'pc_1' },
  adyen: {
    api_url: 'https://x-checkout-live.adyenpayments.com/checkout',
    merchant_account: 'Shop',
    disputes_url: 'https://ca-live.adyen.com',
  },
};
const accountOf = (name: string, own: Record<string, string> = settings[name] ?? {}) =>
  adapters[name]?.connect({ id: 'account', mode: 'live', settings: own });

const answered = (status: number, body: unknown = null): WireAnswer => ({
  outcome: 'answered',
  status,
  body,
});
const success = (more: object = {}) =>
  answered(200, { ...more, disputeServiceResult: { success: true } });
const refusal = answered(200, {
  disputeServiceResult: { success: false, errorMessage: 'The dispute cannot be defended' },
});
const reasons = {
  defenseReasons: [
    {
      defenseReasonCode: 'SupplyDefenseMaterial',
      defenseDocumentTypes: [
        { defenseDocumentTypeCode: 'DefenseMaterial', requirementLevel: 'Required' },
      ],
    },
  ],
};

const defended: DisputeAnswer = { reference: 'dsp_1', evidence: { texts: {}, files: [file] } };
const accepted: DisputeAnswer = { reference: 'dsp_1' };

/** Sends the messages of an answer, each with the next response. Returns their addresses, and the last result. */
function run(name: string, answer: DisputeAnswer, responses: readonly WireAnswer[], before = {}) {
  const processor = accountOf(name);
  const progress: Record<string, StepState | null> = { ...before };
  const sent: string[] = [];
  let result: StepResult | undefined;
  for (const response of responses) {
    const step = processor?.answers?.nextStep(answer, progress as AnswerProgress);
    if (!step) break;
    const request = step.mapRequest('JVBERg==');
    const url = new URL(request.url);
    expect(findEgressViolation(processor?.egress ?? [], request, url)?.detail).toBeUndefined();
    sent.push(`${request.method} ${url.pathname.replace('/ca/services/DisputeService/v30', '')}`);
    result = step.mapAnswer(response);
    if (result.result !== 'stored') break;
    for (const [key, state] of Object.entries(result.changes)) {
      if (state) progress[key] = state;
      else delete progress[key];
    }
  }
  return { sent, result, rest: processor?.answers?.nextStep(answer, progress as AnswerProgress) };
}

const ADYEN_STEPS = [
  'POST /retrieveApplicableDefenseReasons',
  'POST /supplyDefenseDocument',
  'POST /defendDispute',
];
const CHECKOUT_STEPS = [
  'POST /files',
  'PUT /disputes/dsp_1/evidence',
  'POST /disputes/dsp_1/evidence',
];
const filed = answered(200, { id: 'file_1' });
const noContent = answered(204);

describe('an answer to a dispute', () => {
  it.each([
    ['checkout_com', defended, [filed, noContent, noContent], CHECKOUT_STEPS],
    ['checkout_com', accepted, [noContent], ['POST /disputes/dsp_1/accept']],
    ['adyen', defended, [success(reasons), success(), success()], ADYEN_STEPS],
    ['adyen', accepted, [success()], ['POST /acceptDispute']],
  ] as const)('at %s is a list of messages, which end', (name, answer, responses, steps) => {
    const { sent, rest } = run(name, answer, responses);
    expect(sent).toEqual(steps);
    expect(rest).toBeUndefined();
  });

  it.each([
    ['checkout_com', [answered(422, { error_codes: ['file_type_invalid'] })], /file_type_invalid/],
    ['checkout_com', [filed, answered(403)], /refused the evidence: status 403/],
    ['adyen', [refusal], /cannot be defended/],
    ['adyen', [success({ defenseReasons: [] })], /no defence reason/],
    ['adyen', [success(reasons), refusal], /refused the file for receipt/],
    ['adyen', [success(reasons), success(), refusal], /refused the defence/],
  ] as const)('that %s refuses has its reason', (name, responses, why) => {
    expect(run(name, defended, responses).result).toEqual({
      result: 'refused',
      why: expect.stringMatching(why),
    });
  });

  it.each([
    ['checkout_com', answered(401), 'not_sent'],
    ['checkout_com', answered(429), 'not_sent'],
    ['checkout_com', answered(500), 'unknown'],
    ['checkout_com', answered(200, {}), 'unknown'],
    ['adyen', answered(401), 'not_sent'],
    ['adyen', answered(500), 'unknown'],
    ['adyen', answered(200, 'nonsense'), 'unknown'],
  ] as const)('at %s after %j is no refusal', (name, response, result) => {
    expect(run(name, defended, [response]).result?.result).toBe(result);
  });
});

describe('an answer whose last message may have arrived', () => {
  const done = { state: 'done', reference: `SupplyDefenseMaterial ${FILE_ID} DefenseMaterial` };
  const before = { reason: done, put: done, [`file ${FILE_ID}`]: { ...done, reference: 'file_1' } };
  const sending = { state: 'sending' };

  it.each([
    ['evidence_required', 'POST /disputes/dsp_1/evidence', [noContent]],
    ['evidence_under_review', undefined, []],
    ['won', undefined, []],
  ] as const)('at Checkout.com is asked for: %s', (status, next, more) => {
    const responses = [answered(200, { status }), ...more];
    const { sent, rest } = run('checkout_com', defended, responses, { ...before, submit: sending });
    expect(sent).toEqual(['GET /disputes/dsp_1', ...(next ? [next] : [])]);
    expect(rest).toBeUndefined();
  });

  it('at Checkout.com is refused if the dispute expired', () => {
    const { result } = run('checkout_com', defended, [answered(200, { status: 'expired' })], {
      ...before,
      submit: sending,
    });
    expect(result).toMatchObject({ result: 'refused' });
  });

  it.each([
    ['taken', success()],
    ['refused, since the first one arrived', refusal],
  ])('at Adyen is repeated, and %s', (_, response) => {
    const { sent, rest } = run('adyen', defended, [response], {
      ...before,
      defendDispute: sending,
    });
    expect(sent).toEqual(['POST /defendDispute']);
    expect(rest).toBeUndefined();
  });
});

describe('evidence that a processor cannot take', () => {
  const faultOf = (name: string, texts: Record<string, string>, files: readonly EvidenceFile[]) =>
    accountOf(name)?.answers?.findFault({ texts, files });

  it.each([
    ['checkout_com', { refund_policy: 'x'.repeat(501) }, [], /at most 500 characters/],
    [
      'checkout_com',
      { product_description: 'x'.repeat(300), uncategorized_text: 'x'.repeat(300) },
      [],
      /together/,
    ],
    ['checkout_com', {}, [file, file], /one file of the purpose receipt/],
    ['adyen', { refund_policy: 'x' }, [file], /Put refund_policy into a PDF/],
    ['adyen', {}, [], /Upload the evidence/],
  ] as const)('%s: %j', (name, texts, files, fault) => {
    expect(faultOf(name, texts, files)).toMatch(fault);
  });

  it.each(['checkout_com', 'adyen'])('%s refuses what its rules do not name', (name) => {
    const { texts = [], one_file_of = [] } = adapters[name]?.metadata.evidence ?? {};
    for (const field of evidenceFields) {
      const rule = texts.find(({ names }) => names.includes(field));
      if (!rule) expect(faultOf(name, { [field]: 'x' }, [file])).toContain(field);
      else {
        const [full, long] = [rule.chars_max, rule.chars_max + 1].map((size) => 'x'.repeat(size));
        expect(faultOf(name, { [field]: full as string }, [])).toBeUndefined();
        expect(faultOf(name, { [field]: long as string }, [])).toContain(field);
      }
    }
    for (const purpose of disputeFilePurposes) {
      const isSingle = one_file_of.some((purposes) => purposes.includes(purpose));
      const twice = [file, file].map((one) => ({ ...one, purpose }));
      expect(faultOf(name, {}, twice) !== undefined).toBe(isSingle);
    }
  });

  it.each(['checkout_com', 'adyen'])('%s takes a PDF', (name) => {
    expect(faultOf(name, {}, [file])).toBeUndefined();
  });

  it('an account at Adyen without an address for disputes takes no answers', () => {
    const { disputes_url: _, ...others } = settings.adyen as Record<string, string>;
    expect(accountOf('adyen', others)?.answers).toBeUndefined();
  });
});
