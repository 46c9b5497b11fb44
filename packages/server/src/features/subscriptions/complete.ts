import { type Problem, ProblemError } from '@florin/contract/errors.ts';
import type { ThreeDSecurePolicy } from '../../platform/caller.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Micros } from '../../platform/time/clock.ts';
import { blankProblem } from '../payments/create.ts';
import { missingForConfirm } from '../payments/decide.ts';

const alwaysNeeded = ['slug', 'billing_period'] as const;

/**
 * Throws 422 with everything that the subscription lacks for a confirmation, and with other
 * validation errors. Confirmed subscriptions must stay complete.
 */
export function refuseIncompleteSubscription(
  row: Row,
  policy: ThreeDSecurePolicy,
  now: Micros,
  otherProblems: readonly Problem[] = [],
): void {
  const missingProblems = [
    ...alwaysNeeded.filter((column) => (row[column] ?? null) === null),
    ...missingForConfirm(row, policy, now),
  ];
  const problems = [
    ...missingProblems.map(blankProblem),
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
