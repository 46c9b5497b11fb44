import type { EgressRule, Login } from '@florin/contract/protocol/processor-accounts.ts';
import type { AccountSettings } from '../../port/metadata.ts';
import { cardPlaces, tokenPlaces } from './payment-method.ts';
import { reportEgressOf } from './reports.ts';

/** Version of the Checkout API. */
const VERSION = 'v72';

/** Address of an operation, such as `/payments`. */
export const adyenUrlOf = ({ settings }: AccountSettings, path: string): string =>
  `${settings.api_url}/${VERSION}${path}`;

/** Operations of the service for disputes. */
const DISPUTE_OPERATIONS = [
  'retrieveApplicableDefenseReasons',
  'supplyDefenseDocument',
  'defendDispute',
  'acceptDispute',
];

/** Address of an operation about disputes. Undefined if the account has no address for them. */
export const adyenDisputesUrlOf = (
  { settings }: AccountSettings,
  operation: string,
): string | undefined =>
  settings.disputes_url && `${settings.disputes_url}/ca/services/DisputeService/v30/${operation}`;

/** Operations without a card. `*` is the reference of a payment. */
const PATHS = [
  '/cancels',
  '/payments/*/reversals',
  '/payments/*/captures',
  '/payments/*/refunds',
  '/paymentMethods',
];

/** Login of every message but those of reports. */
export const adyenLogin: Login = { headers: { 'x-api-key': { secret: 'api_key' } } };

/** Messages of an account. Only payments may have a card. */
export function adyenEgressOf(account: AccountSettings): readonly EgressRule[] {
  const ruleOf = (url: string) => {
    const { origin, pathname } = new URL(url);
    return { origin, method: 'POST', path: pathname } as const;
  };
  const disputeUrls = DISPUTE_OPERATIONS.flatMap(
    (operation) => adyenDisputesUrlOf(account, operation) ?? [],
  );
  return [
    ...[cardPlaces, tokenPlaces].map((card_fields) => ({
      ...ruleOf(adyenUrlOf(account, '/payments')),
      card_fields,
      login: adyenLogin,
      headers: ['idempotency-key'],
    })),
    ...PATHS.map((path) => ({
      ...ruleOf(adyenUrlOf(account, path)),
      login: adyenLogin,
      headers: ['idempotency-key'],
    })),
    ...disputeUrls.map((url) => ({ ...ruleOf(url), login: adyenLogin })),
    ...reportEgressOf(account),
  ];
}
