import type { Row } from '../../../platform/database/row.ts';
import type { Services } from '../../../services.ts';
import { obligationsOf } from '../remove.ts';
import type { Obligations } from '../sql/obligations.ts';
import {
  type AllRefusals,
  allRefusalsText,
  lastCheckOf,
  type SigningAdapters,
  tableOf,
  titleOf,
} from './describe.ts';
import { readRefusals } from './read-refusals.ts';

/** Describes an account: its state, stored secrets by name, what still needs it, and what is refused. */
export async function showAccount(
  { db, adapters }: Pick<Services, 'db' | 'adapters'>,
  row: Row,
): Promise<string> {
  const id = row.id as string;
  const obligations = await obligationsOf(db, id);
  return describeAccount(row, obligations, await readRefusals(db), adapters);
}

const obligationNames: Readonly<Record<keyof Obligations, string>> = {
  open_outcomes: 'open outcomes',
  holds: 'payments on hold',
  pending_follow_ups: 'pending captures and refunds',
  refundable: 'refundable or disputed payments',
  open_disputes: 'open disputes',
};

export function describeAccount(
  row: Row,
  obligations: Obligations,
  refusals: AllRefusals,
  adapters: SigningAdapters,
): string {
  const { processor, mode, status, secret_names } = row;
  const names = Object.entries(obligationNames) as [keyof Obligations, string][];
  const lines = [
    ['processor', processor],
    ['mode', mode],
    ['status', status],
    ['last check', lastCheckOf(row)],
    ['secrets', (JSON.parse(secret_names ?? '[]') as string[]).join(', ') || 'none'],
    ...names.map(([name, text]) => [text, obligations[name]]),
  ];
  const table = tableOf(lines.map((line) => line.map(String)));
  return [titleOf(row), table, ...allRefusalsText(row, refusals, adapters)].join('\n');
}
