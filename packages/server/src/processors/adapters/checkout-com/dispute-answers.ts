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
import { type Answered, membersOf, textOf } from '../../port/read-answer.ts';
import { CHECKOUT_TEXT_CHARS_MAX, kindByPurpose, kindByText } from './evidence-kinds.ts';
import { checkoutGet, checkoutPost } from './map-request.ts';
import { errorsOf, notExecuted, unclear } from './read-answer.ts';

/** An upload of 4 MB over a slow line. */
const UPLOAD_MS = 20_000;
type Evidence = NonNullable<DisputeAnswer['evidence']>;

/** Texts by the name of Checkout.com. Two attributes share `additional_evidence`. */
function textsOf({ texts }: Evidence): Readonly<Record<string, string>> {
  const joined: Record<string, string> = {};
  for (const [name, text] of Object.entries(texts)) {
    const member = `${kindByText[name]}_text`;
    joined[member] = joined[member] === undefined ? text : `${joined[member]}\n${text}`;
  }
  return joined;
}

function findFault(evidence: Evidence): string | undefined {
  const long = Object.entries(textsOf(evidence)).find(
    ([, text]) => text.length > CHECKOUT_TEXT_CHARS_MAX,
  );
  if (long) {
    const names = Object.keys(kindByText).filter((name) => `${kindByText[name]}_text` === long[0]);
    return `Checkout.com takes at most ${CHECKOUT_TEXT_CHARS_MAX} characters in ${names.join(' and ')} together. Shorten the text, or upload it as a PDF.`;
  }
  const kinds = evidence.files.map(({ purpose }) => kindByPurpose[purpose]);
  const double = evidence.files.find(
    ({ purpose }, at) => kinds.indexOf(kindByPurpose[purpose]) !== at,
  );
  return double
    ? `Checkout.com takes one file of the purpose ${double.purpose}. Combine the files in one PDF, or choose another purpose.`
    : undefined;
}

/** Statuses of an answer that Checkout.com refuses for good. */
const REFUSED: readonly number[] = [400, 403, 404, 405, 409, 413, 422];
const UNAUTHORISED = 401;
const RATE_LIMITED = 429;

/** The result of a message that was not executed; undefined for one that was. */
function failureOf(answer: WireAnswer, what: string, expected: number): StepResult | undefined {
  if (answer.outcome !== 'answered') return resultWithoutResponse(answer);
  const { status } = answer;
  if (status === expected) return undefined;
  if (status === UNAUTHORISED || status === RATE_LIMITED) return notExecuted(answer);
  return REFUSED.includes(status) ? refusalOf(answer, what) : unclear(answer);
}

const refusalOf = (answer: Answered, what: string): StepResult => ({
  result: 'refused',
  why: `Checkout.com refused ${what}: ${errorsOf(answer).join(', ') || `status ${answer.status}`}.`,
});

const done = (name: string, reference?: string): StepResult => ({
  result: 'stored',
  changes: { [name]: { state: 'done', ...(reference !== undefined && { reference }) } },
});

const stepOf = (name: string, what: string, mapRequest: AnswerStep['mapRequest']): AnswerStep => ({
  name,
  mapRequest,
  mapAnswer: (answer) => failureOf(answer, what, 204) ?? done(name),
});

function uploadStep(account: AccountSettings, { id, purpose, content_type }: EvidenceFile) {
  const name = `file ${id}`;
  const file_name = `${purpose}.${content_type.split('/')[1]}`;
  return {
    name,
    file_id: id,
    mapRequest(content: string) {
      const body = { purpose: 'dispute_evidence', file: { file_name, content_type, content } };
      const request = checkoutPost(account, '/files', body);
      // The boundary of the content type is known to the vault only.
      const { 'content-type': _, ...headers } = request.headers;
      return {
        ...request,
        headers,
        codec: 'multipart' as const,
        has_file: true,
        timeout_ms: UPLOAD_MS,
      };
    },
    mapAnswer(answer: WireAnswer): StepResult {
      const failure = failureOf(answer, `the file for ${purpose}`, 200);
      if (failure) return failure;
      const reference = textOf(membersOf((answer as Answered).body).id);
      return reference === undefined ? unclear(answer as Answered) : done(name, reference);
    },
  };
}

/** Statuses in which Checkout.com still waits for the merchant. */
const OPEN = 'evidence_required';
/** Statuses without an answer of the merchant. */
const UNANSWERED: readonly unknown[] = ['expired', 'resolved', 'canceled'];

/** Asks whether a final message arrived. While the dispute waits, the message is sent again. */
const askStep = (account: AccountSettings, path: string, final: string): AnswerStep => ({
  name: 'ask',
  mapRequest: () => checkoutGet(account, path),
  mapAnswer(answer) {
    const failure = failureOf(answer, 'the question for the dispute', 200);
    if (failure) return failure;
    const { status } = membersOf((answer as Answered).body);
    if (typeof status !== 'string') return unclear(answer as Answered);
    if (status === OPEN) return { result: 'stored', changes: { [final]: null, ask: null } };
    return UNANSWERED.includes(status)
      ? { result: 'refused', why: `Checkout.com closed the dispute as ${status}.` }
      : done(final);
  },
});

function nextStep(
  account: AccountSettings,
  { reference, evidence }: DisputeAnswer,
  progress: AnswerProgress,
): AnswerStep | undefined {
  const path = `/disputes/${encodeURIComponent(reference)}`;
  const final = evidence ? 'submit' : 'accept';
  const state = progress[final]?.state;
  if (state === 'done') return undefined;
  if (state === 'sending') return askStep(account, path, final);
  if (!evidence)
    return stepOf(final, 'the acceptance', () => checkoutPost(account, `${path}/accept`, {}));
  const file = evidence.files.find(({ id }) => progress[`file ${id}`]?.state !== 'done');
  if (file) return uploadStep(account, file);
  if (progress.put?.state !== 'done') {
    const body = bodyOf(evidence, progress);
    return stepOf('put', 'the evidence', () => ({
      ...checkoutPost(account, `${path}/evidence`, body),
      method: 'PUT',
    }));
  }
  return stepOf(final, 'the submission', () => checkoutPost(account, `${path}/evidence`, {}));
}

const bodyOf = (evidence: Evidence, progress: AnswerProgress): object => ({
  ...textsOf(evidence),
  ...Object.fromEntries(
    evidence.files.map(({ id, purpose }) => [
      `${kindByPurpose[purpose]}_file`,
      progress[`file ${id}`]?.reference,
    ]),
  ),
});

/** Answers to disputes: files, then the evidence that names them, then the submission, which is final. */
export const checkoutDisputeAnswers = (account: AccountSettings): DisputeAnswers => ({
  findFault,
  nextStep: (answer, progress) => nextStep(account, answer, progress),
});
