import type { EgressRule } from '@florin/contract/protocol/processor-accounts.ts';
import type { AccountSettings } from '../../port/metadata.ts';
import { cardPlaces } from './payment-method.ts';
import { reportEgressOf } from './reports.ts';

/** Version of the Checkout API. */
const VERSION = 'v72';

/** Address of an operation, such as `/payments`. */
export const adyenUrlOf = ({ settings }: AccountSettings, path: string): string =>
  `${settings.api_url}/${VERSION}${path}`;

/** Operations without a card. `*` is the reference of a payment. */
const PATHS = [
  '/cancels',
  '/payments/*/reversals',
  '/payments/*/captures',
  '/payments/*/refunds',
  '/paymentMethods',
];

/** Messages of an account. Only payments may have a card. */
export function adyenEgressOf(account: AccountSettings): readonly EgressRule[] {
  const ruleOf = (path: string) => {
    const { origin, pathname } = new URL(adyenUrlOf(account, path));
    return { origin, method: 'POST', path: pathname } as const;
  };
  return [
    { ...ruleOf('/payments'), card_fields: cardPlaces },
    ...PATHS.map(ruleOf),
    ...reportEgressOf(account),
  ];
}
