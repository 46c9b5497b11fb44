import type { Login } from '@florin/contract/protocol/processor-accounts.ts';
import type { Credentials } from '@florin/contract/protocol/vault.ts';
import { withoutUndefined } from '../../port/build-body.ts';
import type { AccountSettings } from '../../port/metadata.ts';

const ROOT = 'cnpOnlineRequest';
const NAMESPACE = 'http://www.vantivcnp.com/schema';
const VERSION = '12.34';
const REPORT_GROUP = 'Default Report Group';

/** Address of all messages. */
export const cnpUrlOf = ({ settings }: Pick<AccountSettings, 'settings'>): string =>
  `${settings.api_url}/communicator/online`;

/** Places of the login in every message. */
export const secretPlaces: Readonly<Record<string, string>> = {
  [`/${ROOT}/authentication/user`]: 'user',
  [`/${ROOT}/authentication/password`]: 'password',
};

export const cnpLogin: Login = { headers: {}, body: secretPlaces };

/** JSON Pointer to a member of a transaction, as in `/cnpOnlineRequest/sale/card/number`. */
export const placeOf = (transaction: string, member: string): string =>
  `/${ROOT}/${transaction}/${member}`;

/** A transaction: attribute `id`, and the elements in the order of the schema. */
export interface Transaction {
  readonly name: string;
  /** At most 36 characters. */
  readonly id: string;
  readonly customer_id?: string | undefined;
  readonly elements: Readonly<Record<string, unknown>>;
}

/** A message with one transaction. The vault fills in the login. */
export function postTransaction(
  account: AccountSettings,
  { name, id, customer_id, elements }: Transaction,
  timeout_ms: number,
) {
  const credentials: Credentials = { account_id: account.id, ...cnpLogin };
  return {
    method: 'POST' as const,
    url: cnpUrlOf(account),
    headers: { 'content-type': 'text/xml; charset=utf-8' },
    credentials,
    body: {
      [ROOT]: {
        '@version': VERSION,
        '@xmlns': NAMESPACE,
        '@merchantId': account.settings.merchant_id,
        authentication: { user: null, password: null },
        [name]: withoutUndefined({
          '@id': id,
          '@reportGroup': account.settings.report_group || REPORT_GROUP,
          '@customerId': customer_id,
          ...elements,
        }),
      },
    },
    timeout_ms,
  };
}
