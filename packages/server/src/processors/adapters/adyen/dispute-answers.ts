import type {
  AnswerProgress,
  AnswerStep,
  DisputeAnswer,
  DisputeAnswers,
  EvidenceFile,
  StepResult,
} from '../../port/disputes.ts';
import { resultWithoutResponse, type WireAnswer } from '../../port/message.ts';
import type { AccountSettings } from '../../port/metadata.ts';
import { type Answered, membersOf } from '../../port/read-answer.ts';
import { chooseDefence, type Defence, parseDefence, writeDefence } from './choose-defence.ts';
import { adyenDisputesUrlOf } from './egress.ts';
import {
  isPassing,
  notExecutedAtAdyen,
  shortTextOf,
  unclearAtAdyen,
  whyOfAdyen,
} from './read-answer.ts';

const ANSWER_MS = 10_000;
/** An upload of 5 MB in base64 over a slow line. */
const UPLOAD_MS = 20_000;
const OK = 200;
const LOCKED_OUT: readonly number[] = [401, 403];

/** Members of an answer in which Adyen says success. Otherwise the result of the step. */
function successOf(answer: WireAnswer, what: string): object | StepResult {
  if (answer.outcome !== 'answered') return resultWithoutResponse(answer);
  if (isPassing(answer) || LOCKED_OUT.includes(answer.status)) return notExecutedAtAdyen(answer);
  if (answer.status !== OK) return failedResult(answer, what);
  const body = membersOf(answer.body);
  const { success, errorMessage } = membersOf(body.disputeServiceResult);
  if (success === true) return body;
  // HTTP 200 without success is a refusal.
  return success === false
    ? {
        result: 'refused',
        why: `Adyen refused ${what}: ${shortTextOf(errorMessage) ?? 'no reason'}.`,
      }
    : unclearAtAdyen(answer);
}

const failedResult = (answer: Answered, what: string): StepResult =>
  answer.status < 500
    ? { result: 'refused', why: `Adyen refused ${what}. ${whyOfAdyen(answer)}.` }
    : unclearAtAdyen(answer);

const isStepResult = (value: object): value is StepResult => 'result' in value;

const done = (name: string, reference?: string): StepResult => ({
  result: 'stored',
  changes: { [name]: { state: 'done', ...(reference !== undefined && { reference }) } },
});

function requestOf(account: AccountSettings, operation: string, reference: string, body: object) {
  return {
    method: 'POST' as const,
    url: adyenDisputesUrlOf(account, operation) ?? '',
    headers: { 'content-type': 'application/json' },
    credentials: { account_id: account.id, headers: { 'x-api-key': { secret: 'api_key' } } },
    body: {
      merchantAccountCode: account.settings.merchant_account,
      disputePspReference: reference,
      ...body,
    },
    timeout_ms: ANSWER_MS,
  };
}

/**
 * A final message. Adyen refuses a repetition if the first message arrived, or the period is over. A notification tells
 * both, so that the answer counts as sent.
 */
const finalStep = (
  account: AccountSettings,
  { reference }: DisputeAnswer,
  name: 'defendDispute' | 'acceptDispute',
  body: object,
  wasSent: boolean,
): AnswerStep => ({
  name,
  mapRequest: () => requestOf(account, name, reference, body),
  mapAnswer(answer) {
    const what = name === 'defendDispute' ? 'the defence' : 'the acceptance';
    const success = successOf(answer, what);
    if (!isStepResult(success)) return done(name);
    return wasSent && success.result === 'refused' ? done(name) : success;
  },
});

/** Asks for the reasons that Adyen takes, and chooses one that fits the files. */
const reasonStep = (
  account: AccountSettings,
  reference: string,
  files: readonly EvidenceFile[],
): AnswerStep => ({
  name: 'reason',
  mapRequest: () => requestOf(account, 'retrieveApplicableDefenseReasons', reference, {}),
  mapAnswer(answer) {
    const success = successOf(answer, 'the answer');
    if (isStepResult(success)) return success;
    const defence = chooseDefence(success, files);
    return defence
      ? done('reason', writeDefence(defence))
      : {
          result: 'refused',
          why: 'Adyen has no defence reason for these files. Combine them in one PDF, or accept the dispute.',
        };
  },
});

/** Supplies a document. A second one of the same type replaces the first. */
const documentStep = (
  account: AccountSettings,
  reference: string,
  { id, purpose, content_type }: EvidenceFile,
  { types }: Defence,
): AnswerStep => ({
  name: `file ${id}`,
  file_id: id,
  mapRequest: (content) => ({
    ...requestOf(account, 'supplyDefenseDocument', reference, {
      defenseDocuments: [
        { content, contentType: content_type, defenseDocumentTypeCode: types[id] },
      ],
    }),
    has_file: true,
    timeout_ms: UPLOAD_MS,
  }),
  mapAnswer(answer) {
    const success = successOf(answer, `the file for ${purpose}`);
    return isStepResult(success) ? success : done(`file ${id}`);
  },
});

function nextStep(
  account: AccountSettings,
  answer: DisputeAnswer,
  progress: AnswerProgress,
): AnswerStep | undefined {
  const { reference, evidence } = answer;
  const final = evidence ? 'defendDispute' : 'acceptDispute';
  const state = progress[final]?.state;
  if (state === 'done') return undefined;
  const wasSent = state === 'sending';
  if (!evidence) return finalStep(account, answer, final, {}, wasSent);
  const defence = parseDefence(progress.reason?.reference);
  if (!defence) return reasonStep(account, reference, evidence.files);
  const file = evidence.files.find(({ id }) => progress[`file ${id}`]?.state !== 'done');
  if (file) return documentStep(account, reference, file, defence);
  return finalStep(account, answer, final, { defenseReasonCode: defence.code }, wasSent);
}

/** Answers to disputes: a reason, its documents, then the defence, which is final. Undefined without an address. */
export const adyenDisputeAnswers = (account: AccountSettings): DisputeAnswers | undefined =>
  adyenDisputesUrlOf(account, '') === undefined
    ? undefined
    : {
        findFault({ texts, files }) {
          if (files.length === 0)
            return 'Adyen takes files only. Upload the evidence as a PDF or JPEG.';
          const names = Object.keys(texts);
          return names.length > 0
            ? `Adyen takes files only. Put ${names.join(', ')} into a PDF, and set them to null.`
            : undefined;
        },
        nextStep: (answer, progress) => nextStep(account, answer, progress),
      };
