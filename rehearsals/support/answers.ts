import type { PacedLoad } from './load.ts';
import type { Answer, Resource } from './payer.ts';

export interface TimedAnswer extends Answer {
  /** Time of `performance.now()`. */
  readonly at: number;
}

export const succeeded = ({ status }: TimedAnswer): boolean => Number(status) < 400;
export const isWrite = (answer: TimedAnswer): boolean =>
  answer.method !== 'GET' && succeeded(answer);

/** Payments whose stored status is not the one that a response has reported. */
export function findChanged(
  { payments }: PacedLoad,
  stored: readonly Readonly<Record<string, string | null>>[],
): string[] {
  const statuses = new Map(stored.map(({ id, status }) => [id, status]));
  return payments
    .filter(({ id, attributes }) => statuses.get(id) !== attributes.status)
    .map(({ id, attributes }) => describeChange(id, attributes, statuses.get(id)));
}

const describeChange = (
  id: string,
  { status }: Resource['attributes'],
  stored: string | null = 'absent',
) => `payment ${id} was ${status} in a response, and is ${stored}`;
