import type { NotSentResult, UnknownResult, WireAnswer } from '../../port/message.ts';
import { isIdOrCode, unknownResult } from '../../port/read-answer.ts';
import { shortReference } from './reference.ts';

/** Unchecked members of a payment, an action or an error. */
export type Members = Readonly<Record<string, unknown>>;

export type Answered = Extract<WireAnswer, { outcome: 'answered' }>;

/** Members of an object; none of anything else. */
export const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};

export const itemsOf = (value: unknown): readonly Members[] =>
  Array.isArray(value) ? value.map(membersOf) : [];

/** Whether a payment or action has our reference. Without `expected` all have. */
export const isOurs = ({ reference }: Members, expected?: string): boolean =>
  expected === undefined || reference === shortReference(expected);

/** A short text for codes and references; undefined for other values. */
export const textOf = (value: unknown): string | undefined =>
  isIdOrCode(value) ? value : undefined;

/** Errors of a refused message. */
export const errorsOf = ({ body }: Answered): readonly string[] => {
  const { error_codes } = membersOf(body);
  return Array.isArray(error_codes) ? error_codes.filter(isIdOrCode) : [];
};

/** Says what Checkout.com answered, without texts that it could repeat. */
export const whyOf = (answer: Answered): string =>
  [`Checkout.com answered ${answer.status}`, ...errorsOf(answer).slice(0, 3)].join(', ');

export const unclear = (answer: Answered): UnknownResult => unknownResult(`${whyOf(answer)}.`);

/** The processor did nothing, and the message may be sent again. */
export const notExecuted = (answer: Answered): NotSentResult => ({
  result: 'not_sent',
  why: `${whyOf(answer)}.`,
});
