import type { NotSentResult, UnknownResult } from '../../port/message.ts';
import {
  type Answered,
  isIdOrCode,
  type Members,
  membersOf,
  unknownResult,
} from '../../port/read-answer.ts';
import { shortReference } from './reference.ts';

/** Whether a payment or action has our reference. Without `expected` all have. */
export const isOurs = ({ reference }: Members, expected?: string): boolean =>
  expected === undefined || reference === shortReference(expected);

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
