import { type Problem, ProblemError } from '@florin/contract/errors.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Micros } from '../../platform/time/clock.ts';
import { blankProblem, confirmationProblems, type ThreeDSecureRules } from '../payments/decide.ts';

const alwaysNeeded = ['slug', 'billing_period'] as const;

/**
 * Throws 422 with everything that the subscription lacks for a confirmation, and with other
 * validation errors. Confirmed subscriptions must stay complete.
 */
export function refuseIncompleteSubscription(
  row: Row,
  rules: ThreeDSecureRules,
  now: Micros,
  otherProblems: readonly Problem[] = [],
): void {
  const problems = [
    ...alwaysNeeded.filter((column) => (row[column] ?? null) === null).map(blankProblem),
    ...confirmationProblems(row, rules, now),
    ...(hasItems(row) ? [] : [noItems]),
    ...otherProblems,
  ];
  if (problems.length > 0) throw new ProblemError(problems);
}

const hasItems = ({ line_items }: Row): boolean =>
  (JSON.parse(line_items ?? '[]') as unknown[]).length > 0;

const noItems: Problem = {
  code: 'too_few_items',
  detail: 'line_items must have at least one item, which names what the subscription is for.',
  source: { pointer: '/data/attributes/line_items' },
};
