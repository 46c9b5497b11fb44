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

/** Settings of an operator. Secrets have their names only. */
function configurationOf(row: Row): string[][] {
  const settings = JSON.parse(row.settings ?? '{}') as Record<string, string>;
  const list = (json: string | null | undefined, none: string): string =>
    (JSON.parse(json ?? '[]') as string[]).join(', ') || none;
  return [
    ['merchant', row.merchant_id ?? 'all'],
    ...Object.entries(settings),
    ['secrets', list(row.secret_names, 'none')],
    ['currencies', list(row.currencies, 'all of the processor')],
    ['networks', list(row.networks, 'all of the processor')],
  ];
}

export function describeAccount(
  row: Row,
  obligations: Obligations,
  refusals: AllRefusals,
  adapters: SigningAdapters,
): string {
  const { processor, mode, status } = row;
  const names = Object.entries(obligationNames) as [keyof Obligations, string][];
  const lines = [
    ['processor', processor],
    ['mode', mode],
    ['status', status],
    ['last check', lastCheckOf(row)],
    ...configurationOf(row),
    ...names.map(([name, text]) => [text, obligations[name]]),
  ];
  const table = tableOf(lines.map((line) => line.map(String)));
  return [titleOf(row), table, ...allRefusalsText(row, refusals, adapters)].join('\n');
}
