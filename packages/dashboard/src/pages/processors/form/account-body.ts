import type { Mode } from '../../../api/types.ts';
import type { AccountDetail, ProcessorAccount, ProcessorField } from '../types.ts';

/** Choices of an account besides its fields. Null: no restriction. */
interface AccountChoices {
  readonly name: string;
  readonly currencies: readonly string[] | null;
  readonly networks: readonly string[] | null;
  readonly descriptor: string | null;
}

/** New values of an account. Null removes a setting or secret; an absent one stays. */
export interface AccountBody extends AccountChoices {
  readonly settings: Readonly<Record<string, string | null>>;
  readonly secrets: Readonly<Record<string, string | null>>;
}

export interface NewAccountBody extends AccountBody {
  readonly mode: Mode;
  readonly processor: string;
  readonly merchant_id: string | null;
}

/** Content of the form. Empty texts and lists are no values. */
export interface AccountValues {
  readonly name: string;
  readonly merchant_id: string;
  readonly descriptor: string;
  readonly currencies: readonly string[];
  readonly networks: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
}

export const choicesOf = ({
  name,
  currencies,
  networks,
  descriptor,
}: ProcessorAccount): AccountChoices => ({ name, currencies, networks, descriptor });

/** Returns the form's content for an account; without an account for a new one. */
export const valuesOf = (
  fields: readonly ProcessorField[],
  account?: AccountDetail,
): AccountValues => ({
  name: account?.name ?? '',
  merchant_id: account?.merchant_id ?? '',
  descriptor: account?.descriptor ?? '',
  currencies: account?.currencies ?? [],
  networks: account?.networks ?? [],
  settings: Object.fromEntries(
    fields.filter(({ secret }) => !secret).map(({ name }) => [name, account?.settings[name] ?? '']),
  ),
  secrets: Object.fromEntries(fields.filter(({ secret }) => secret).map(({ name }) => [name, ''])),
});

const listOrNull = (list: readonly string[]): readonly string[] | null =>
  list.length > 0 ? list : null;

/** Returns the request body of the form. An emptied setting is removed; an empty secret stays as it is. */
export function bodyOf(values: AccountValues, account?: ProcessorAccount): AccountBody {
  const settings = Object.entries(values.settings)
    .map(([name, text]) => [name, text.trim() || null] as const)
    .filter(([name, value]) => value !== null || account?.settings[name] !== undefined);
  return {
    name: values.name,
    descriptor: values.descriptor.trim() || null,
    currencies: listOrNull(values.currencies),
    networks: listOrNull(values.networks),
    settings: Object.fromEntries(settings),
    secrets: Object.fromEntries(Object.entries(values.secrets).filter(([, value]) => value !== '')),
  };
}
