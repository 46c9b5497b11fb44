import type { EgressRule } from '@florin/contract/protocol/processor-accounts.ts';
import type { CardFields } from '@florin/contract/protocol/vault.ts';
import type { AccountSettings } from '../../port/metadata.ts';
import { cardPlacesOf } from './card.ts';
import { cnpLogin, cnpUrlOf, secretPlaces } from './message.ts';

const cardPlaces: CardFields = { ...cardPlacesOf('authorization'), ...cardPlacesOf('sale') };

/** All messages have one address. Only authorisations and sales may have a card. */
export function cnpEgressOf(account: AccountSettings): readonly EgressRule[] {
  const { origin, pathname } = new URL(cnpUrlOf(account));
  return [
    {
      origin,
      method: 'POST',
      path: pathname,
      card_fields: cardPlaces,
      secret_fields: secretPlaces,
      login: cnpLogin,
      codec: 'xml',
    },
  ];
}
