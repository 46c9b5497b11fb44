import type { RouteRefusal } from '@florin/contract/route-refusals.ts';
import { isoOf } from '../../../http/page-cursor.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { ProcessorAccounts } from '../../../processors/accounts.ts';
import type { AccountField, ProcessorMetadata } from '../../../processors/port/metadata.ts';
import { NETWORK, type Route } from '../../../processors/route.ts';
import type { Fallback, RoutingRule } from '../../../processors/routing-rule.ts';

/** Names an account for people, with the id that commands accept. */
export const titleOf = ({ name, id }: Row): string => `${name} (${id})`;

const CLI = 'npm run florin -- processors';
const MICROSECONDS = /\.\d+/;

/** Adapters by name, of which texts need the metadata. */
export type SigningAdapters = Readonly<
  Record<string, { readonly metadata: Pick<ProcessorMetadata, 'signature_field' | 'fields'> }>
>;

/** Refused keys and notifications, by account. */
export interface AllRefusals {
  readonly notifications: ReadonlyMap<string, Row>;
  readonly keys: ReadonlyMap<string, Row>;
}

/** Formats accounts as a table, and below it those whose key or notifications are refused. */
export function describeAccounts(
  rows: readonly Row[],
  refusals: AllRefusals,
  adapters: SigningAdapters = {},
): string {
  const head = ['id', 'name', 'processor', 'mode', 'status', 'last check'];
  const lines = rows.map(({ id, name, processor, mode, status, ...row }) =>
    [id, name, processor, mode, status, lastCheckOf(row)].map(String),
  );
  const refused = rows.flatMap((row) => allRefusalsText(row, refusals, adapters));
  return [tableOf([head, ...lines]), ...refused].join('\n');
}

/** Time and result of the last check of the credentials. */
export function lastCheckOf({ checked_at, check_failure }: Row): string {
  if (!checked_at) return 'never';
  return `${timeOf(checked_at)} ${check_failure ?? 'accepted'}`;
}

/** Formats an instant to the second; empty if absent. */
export const timeOf = (at: string | null | undefined): string =>
  isoOf(at ?? null)?.replace(MICROSECONDS, '') ?? '';

/** Sentences about what is refused of an account; none for a removed one. */
export function allRefusalsText(
  row: Row,
  { keys, notifications }: AllRefusals,
  adapters: SigningAdapters,
): string[] {
  if (row.status === 'removed') return [];
  const id = row.id as string;
  return [
    ...refusedKeyText(row, keys.get(id), adapters),
    ...refusalsText(row, notifications.get(id), adapters),
  ];
}

/** Says since when the processor refuses the key of an account, and the next step. */
function refusedKeyText(row: Row, refused: Row | undefined, adapters: SigningAdapters): string[] {
  if (!refused) return [];
  const { count, since, last_at } = refused;
  const counted = count === '1' ? '1 message' : `${count} messages`;
  const { fields = [] } = adapters[row.processor as string]?.metadata ?? {};
  const keys = fields.filter(({ secret, required }) => secret && required);
  const options = keys.map(({ name }) => ` --secret ${name}=FILE`).join('');
  return [
    `${titleOf(row)}: the processor refuses the key since ${timeOf(since)}: ${counted}, the last at ${timeOf(last_at)}. Create a key at the processor, store it with ${CLI} change ${row.id}${options}, and test it with ${CLI} check ${row.id}`,
  ];
}

/** Says that notifications of an account are refused, and the next step. */
function refusalsText(row: Row, refusals: Row | undefined, adapters: SigningAdapters): string[] {
  if (!refusals) return [];
  const { count, last_at, last_reason } = refusals;
  const counted = count === '1' ? '1 notification is' : `${count} notifications are`;
  const why = refusalReasons[last_reason as string] ?? String(last_reason);
  const field = adapters[row.processor as string]?.metadata.signature_field ?? 'FIELD';
  return [
    `${titleOf(row)}: ${counted} refused, the last at ${timeOf(last_at)}: ${why}. Check the signature key: compare it with the processor's, and store it with ${CLI} change ${row.id} --secret ${field}=FILE`,
  ];
}

const refusalReasons: Readonly<Record<string, string>> = {
  wrong_signature: 'its signature fits no stored key',
  no_signature: 'it has no signature',
  credential_missing: 'the account has no signature key',
};

/** Formats processors with the options that set the fields of their accounts. */
export const describeProcessors = (all: readonly ProcessorMetadata[]): string =>
  all
    .map(({ name, display_name, fields }) => `${name}  ${display_name}\n${describeFields(fields)}`)
    .join('\n\n');

const describeFields = (fields: readonly AccountField[]): string =>
  tableOf(
    fields.map((field) => [
      `  ${optionOfField(field)}`,
      field.required ? 'required' : 'optional',
      field.example === undefined ? field.help : `${field.help} Example: ${field.example}`,
    ]),
  );

const optionOfField = ({ name, secret }: AccountField): string =>
  secret ? `--secret ${name}=FILE` : `--set ${name}=VALUE`;

/** Formats rules as JSON that `route --file` accepts. */
export const describeRules = (rules: readonly RoutingRule[]): string =>
  JSON.stringify(
    rules.map(({ name, merchant_id, conditions, accounts, fallback }) => ({
      name,
      ...(merchant_id !== null && { merchant_id }),
      conditions,
      accounts,
      fallback,
    })),
    null,
    2,
  );

const refusalTexts: Readonly<Record<RouteRefusal, string>> = {
  not_enabled: 'is not enabled',
  currency: 'does not take the currency',
  amount: 'cannot take the amount',
  card_network: 'does not take the card network',
  wallet: 'does not take the wallet',
  network_token: 'does not take network tokens of this card network',
  merchant_initiated: 'takes no charges without the payer',
};

const fallbackTexts: Readonly<Record<Fallback, string>> = {
  none: 'is never asked: the rule has no fallback',
  not_sent: 'is asked if the message cannot be sent',
  declined: 'is asked if the message cannot be sent, or after a decline that allows it',
};

/** Says which account takes a payment, and why. */
export function describeRoute(accounts: Pick<ProcessorAccounts, 'find'>, route: Route): string {
  const nameOf = (id: string): string => {
    const account = accounts.find(id);
    if (id === NETWORK) return 'The simulated network';
    return account ? titleOf({ name: account.name, id }) : `The account ${id}`;
  };
  const [first, second] = route.candidates;
  const taker =
    first === undefined ? 'No account takes the payment' : `${nameOf(first)} takes the payment`;
  const reason = route.rule === null ? 'no rule matches' : `the rule "${route.rule}" matches`;
  const refused = route.refused.map(
    ({ account, why }) => `${nameOf(account)} ${refusalTexts[why]}.`,
  );
  const next = second === undefined ? [] : [`${nameOf(second)} ${fallbackTexts[route.fallback]}.`];
  const isEmpty = first === undefined && refused.length === 0;
  const advice = isEmpty ? ['The mode has no enabled account. Add or enable one.'] : [];
  return [`${taker}: ${reason}.`, ...next, ...refused, ...advice].join('\n');
}

/** Formats lines of cells as a table. */
export const tableOf = (lines: readonly (readonly string[])[]): string => {
  const widths = (lines[0] ?? []).map((_, at) =>
    Math.max(...lines.map((line) => (line[at] as string).length)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] as number))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};
