import type { Row } from '../../../platform/database/row.ts';
import type { Services } from '../../../services.ts';
import { obligationsOf } from '../remove.ts';
import type { Obligations } from '../sql/obligations.ts';
import { selectRefusals } from '../sql/refusals.ts';
import { lastCheckOf, refusalsText, type SigningAdapters, tableOf, titleOf } from './describe.ts';

/** Describes an account: its state, stored secrets by name, what still needs it, and refused notifications. */
export async function showAccount(
  { db, adapters }: Pick<Services, 'db' | 'adapters'>,
  row: Row,
): Promise<string> {
  const id = row.id as string;
  const obligations = await obligationsOf(db, id);
  const refusals = await selectRefusals(db);
  return describeAccount(row, obligations, refusals.get(id), adapters);
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
  refusals: Row | undefined,
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
  return [titleOf(row), table, ...refusalsText(row, refusals, adapters)].join('\n');
}
