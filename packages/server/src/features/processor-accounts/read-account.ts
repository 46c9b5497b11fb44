import { cardNetworks } from '@florin/contract/card/networks.ts';
import { currencyNumbers } from '@florin/contract/currencies.ts';
import { object, oneOf, optional, readBody, text } from '../../http/body.ts';
import type { AccountChoices, AccountDraft } from './change.ts';
import type { FieldValues } from './fields.ts';
import { createListMember, idMember, orNull } from './members.ts';

const NAME_MAX = 100;
/** Longest statement descriptor that a processor takes. */
const DESCRIPTOR_MAX = 25;

const choices = {
  name: text(NAME_MAX),
  currencies: optional(createListMember([...currencyNumbers.keys()])),
  networks: optional(createListMember(cardNetworks.map(({ brand }) => brand))),
  descriptor: optional(text(DESCRIPTOR_MAX)),
  settings: object,
  secrets: object,
};

const draft = {
  ...choices,
  mode: oneOf(['live', 'sandbox']),
  processor: text(NAME_MAX),
  merchant_id: optional(idMember),
};

/** Reads a new account. Throws 422 with all invalid members. */
export function readAccountDraft(body: unknown): AccountDraft {
  const members = readBody(body, draft);
  return { ...members, ...choicesOf(members), merchant_id: orNull(members.merchant_id) };
}

/** Reads the new values of an account. Throws 422 with all invalid members. */
export function readAccountChange(body: unknown): AccountChoices & FieldValues {
  const members = readBody(body, choices);
  return { ...members, ...choicesOf(members) };
}

const choicesOf = ({
  currencies,
  networks,
  descriptor,
}: {
  readonly currencies: readonly string[] | undefined;
  readonly networks: readonly string[] | undefined;
  readonly descriptor: string | undefined;
}) => ({
  currencies: orNull(currencies),
  networks: orNull(networks),
  descriptor: orNull(descriptor),
});
