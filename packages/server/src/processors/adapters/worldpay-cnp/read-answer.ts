import type { NotSentResult, UnknownResult } from '../../port/message.ts';
import type { KeyReading } from '../../port/processor.ts';
import {
  type Answered,
  type Members,
  membersOf,
  textOf,
  unknownResult,
} from '../../port/read-answer.ts';

const ROOT = 'cnpOnlineResponse';
const VALID = '0';
const NO_LOGIN = '2';
const WRONG_LOGIN = '3';
/**
 * Values of `response` with which Worldpay's edge refuses a message unread. 1 is an error of validation or of a system,
 * and says nothing.
 */
const headerProblems: Readonly<Record<string, string>> = {
  '2': 'the XML has no login',
  '3': 'the user, the password or the merchant id is wrong',
  '4': 'there are too many connections',
  '5': 'the message was taken for an attack, or is too long',
};
/** Refusals that a later message does not get. */
const TEMPORARY: readonly string[] = [WRONG_LOGIN, '4'];

/** Attributes of the response and its transaction. */
export interface CnpEnvelope {
  /** Attribute `response` of the root; undefined if the answer is none of cnpAPI. */
  readonly header: string | undefined;
  /** Elements of the transaction by its name, such as `saleResponse`. */
  readonly transactions: Members;
}

export function openEnvelope({ status, body }: Answered): CnpEnvelope {
  const root = membersOf(membersOf(body)[ROOT]);
  const header = status === 200 ? textOf(root['@response']) : undefined;
  return { header, transactions: header === VALID ? root : {} };
}

/** Why Worldpay's edge refused the message; undefined if it did not. */
export const edgeProblemOf = ({ header }: CnpEnvelope): string | undefined =>
  header !== undefined && Object.hasOwn(headerProblems, header)
    ? headerProblems[header]
    : undefined;

/** Whether the login is the problem. The other refusals say nothing about it. */
export const isLoginProblem = ({ header }: CnpEnvelope): boolean =>
  header === NO_LOGIN || header === WRONG_LOGIN;

export const isTemporary = ({ header = '' }: CnpEnvelope): boolean => TEMPORARY.includes(header);

/** Reads the login's fate, which Worldpay tells with the status 200. */
export function readCnpKey(answer: Answered): KeyReading {
  const { header } = openEnvelope(answer);
  if (header === WRONG_LOGIN) return { key: 'refused', code: `response ${header}` };
  return { key: header === VALID ? 'accepted' : 'unclear' };
}

/** A transaction's response with our id. Without `expected` any id is ours. */
export function transactionOf(
  { transactions }: CnpEnvelope,
  name: string,
  expected?: string,
): Members | undefined {
  if (!Object.hasOwn(transactions, name)) return undefined;
  const transaction = membersOf(transactions[name]);
  return expected === undefined || transaction['@id'] === expected ? transaction : undefined;
}

/** Three digits; undefined for other values. */
export function codeOf({ response }: Members): string | undefined {
  const code = textOf(response);
  return code !== undefined && /^\d{3}$/.test(code) ? code : undefined;
}

/** Worldpay's id of a transaction: a number of at most 19 digits. */
export function cnpIdOf({ cnpTxnId }: Members): string | undefined {
  const id = textOf(cnpTxnId);
  return id !== undefined && /^\d{1,19}$/.test(id) ? id : undefined;
}

/** Says what Worldpay answered, without texts that it could repeat. */
export const undecided = (answer: Answered, code?: string): UnknownResult =>
  unknownResult(cnpReasonOf(answer, code));

export function cnpReasonOf(answer: Answered, code?: string): string {
  const envelope = openEnvelope(answer);
  const problem = edgeProblemOf(envelope);
  if (problem) return `Worldpay refused the message: ${problem}.`;
  const header = envelope.header === undefined ? '' : `, response ${envelope.header}`;
  return code === undefined
    ? `Worldpay answered ${answer.status}${header}.`
    : `Worldpay answered with code ${code}.`;
}

/** Worldpay's edge refused the message before it was read, and a later one may pass. */
export const refusedAtEdge = (answer: Answered): NotSentResult => ({
  result: 'not_sent',
  why: cnpReasonOf(answer),
});
