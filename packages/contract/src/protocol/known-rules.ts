import { canonicalJson } from '../canonical-json.ts';
import type { EgressRule } from './processor-accounts.ts';
import type { CardFields, RelayMethod } from './vault.ts';

type KnownRule = Omit<EgressRule, 'origin'>;

/** Messages of an adapter that Florin ships, at the hosts that its processor publishes. */
interface KnownMessages {
  readonly hosts: RegExp;
  /** Paths that the address of an account may have before those of the rules. */
  readonly prefix: RegExp;
  readonly rules: readonly KnownRule[];
  /** Whether an operator accepts each rule, since it names a merchant's account there. */
  readonly is_bound_only?: true;
}

const ADYEN_HOSTS =
  /^(checkout-test\.adyen\.com|[\w-]+-checkout-live\.adyenpayments\.com|checkout-live\.adyen\.com)$/;
/** Hosts of disputes and reports. */
const ADYEN_AREA_HOSTS = /^ca-(test|live)\.adyen\.com$/;
const adyenCard: CardFields = {
  '/paymentMethod/number': 'pan',
  '/paymentMethod/expiryMonth': 'expiry_month',
  '/paymentMethod/expiryYear': 'expiry_year',
};
const adyenPost = (path: string): KnownRule => ({
  method: 'POST',
  path,
  login: { headers: { 'x-api-key': { secret: 'api_key' } } },
});
const adyenChange = (path: string): KnownRule => ({
  ...adyenPost(path),
  headers: ['idempotency-key'],
});

const CHECKOUT_HOSTS = /^([a-z0-9]+\.)?api(\.sandbox)?\.checkout\.com$/;
const checkoutToken: CardFields = {
  '/source/token': 'pan',
  '/source/expiry_month': 'expiry_month_number',
  '/source/expiry_year': 'expiry_year_number',
  '/source/cryptogram': 'cryptogram',
  '/source/eci': 'eci',
};
const checkoutMessage = (method: RelayMethod, path: string): KnownRule => ({
  method,
  path,
  login: { headers: { authorization: { prefix: 'Bearer ', secret: 'secret_key' } } },
});
const checkoutChange = (path: string): KnownRule => ({
  ...checkoutMessage('POST', path),
  headers: ['cko-idempotency-key'],
});

const CNP_HOSTS = /^payments(\.(east|west))?\.vantiv(cnp|postlive|prelive)\.com$/;
const cnpCard = (transaction: string): CardFields => ({
  [`/cnpOnlineRequest/${transaction}/card/number`]: 'pan',
  [`/cnpOnlineRequest/${transaction}/card/expDate`]: 'expiry_mmyy',
  [`/cnpOnlineRequest/${transaction}/card/cardValidationNum`]: 'cvv',
  [`/cnpOnlineRequest/${transaction}/cardholderAuthentication/authenticationValue`]: 'cryptogram',
});
const cnpSecrets = {
  '/cnpOnlineRequest/authentication/user': 'user',
  '/cnpOnlineRequest/authentication/password': 'password',
} as const;

/**
 * The vault knows these by itself, so that a server cannot invent one. A test compares them with the adapters. A release
 * that changes one of them then stops no payments of accounts that an operator accepted.
 */
const knownMessages: readonly KnownMessages[] = [
  {
    hosts: ADYEN_HOSTS,
    prefix: /^(\/checkout)?$/,
    rules: [
      {
        ...adyenChange('/v72/payments'),
        card_fields: {
          ...adyenCard,
          '/paymentMethod/cvc': 'cvv',
          '/mpiData/cavv': 'cryptogram',
          '/mpiData/eci': 'eci',
        },
      },
      {
        ...adyenChange('/v72/payments'),
        card_fields: {
          ...adyenCard,
          '/mpiData/tokenAuthenticationVerificationValue': 'cryptogram',
          '/mpiData/eci': 'eci_or_07',
        },
      },
      adyenChange('/v72/cancels'),
      adyenChange('/v72/payments/*/reversals'),
      adyenChange('/v72/payments/*/captures'),
      adyenChange('/v72/payments/*/refunds'),
      adyenChange('/v72/paymentMethods'),
    ],
  },
  {
    hosts: ADYEN_AREA_HOSTS,
    prefix: /^\/ca\/services\/DisputeService\/v30$/,
    rules: [
      adyenPost('/retrieveApplicableDefenseReasons'),
      adyenPost('/supplyDefenseDocument'),
      adyenPost('/defendDispute'),
      adyenPost('/acceptDispute'),
    ],
  },
  {
    hosts: ADYEN_AREA_HOSTS,
    prefix: /^\/reports\/download\/MerchantAccount\/\w[\w-]{0,79}$/,
    is_bound_only: true,
    rules: [
      { method: 'GET', path: '/*', login: { headers: { 'x-api-key': { secret: 'report_key' } } } },
    ],
  },
  {
    hosts: CHECKOUT_HOSTS,
    prefix: /^$/,
    rules: [
      {
        ...checkoutChange('/payments'),
        card_fields: { ...checkoutToken, '/source/number': 'pan', '/source/cvv': 'cvv' },
      },
      {
        ...checkoutChange('/payments'),
        card_fields: { ...checkoutToken, '/source/eci': 'eci_or_05' },
      },
      { ...checkoutMessage('GET', '/payments'), query: ['reference', 'limit'] },
      checkoutMessage('GET', '/payments/*'),
      checkoutMessage('GET', '/payments/*/actions'),
      checkoutChange('/payments/*/captures'),
      checkoutChange('/payments/*/refunds'),
      checkoutChange('/payments/*/reversals'),
      {
        ...checkoutMessage('GET', '/reports'),
        query: ['created_after', 'created_before', 'limit', 'pagination_token'],
      },
      checkoutMessage('GET', '/reports/*/files/*'),
      { ...checkoutMessage('POST', '/files'), codec: 'multipart' },
      checkoutMessage('GET', '/disputes/*'),
      checkoutMessage('POST', '/disputes/*/accept'),
      checkoutMessage('PUT', '/disputes/*/evidence'),
      checkoutMessage('POST', '/disputes/*/evidence'),
    ],
  },
  {
    hosts: CNP_HOSTS,
    prefix: /^\/vap$/,
    rules: [
      {
        method: 'POST',
        path: '/communicator/online',
        codec: 'xml',
        login: { headers: {}, body: cnpSecrets },
        card_fields: { ...cnpCard('authorization'), ...cnpCard('sale') },
        secret_fields: cnpSecrets,
      },
    ],
  },
];

/** Whether a rule is exactly one of a shipped adapter, at a host of its processor, for every account there. */
export const isKnownRule = ({ origin, path, ...rule }: EgressRule): boolean =>
  rulesAt(origin, path).some(
    ({ is_bound_only, known }) => !is_bound_only && canonicalJson(rule) === canonicalJson(known),
  );

/** A rule without what binds its login. Earlier releases stored such rules. */
export const unbound = ({
  login: _login,
  headers: _headers,
  codec: _codec,
  ...rule
}: EgressRule): EgressRule => rule;

/** The rule of a shipped adapter that is this one with a login; undefined without one. */
export function boundFormOf(rule: EgressRule): EgressRule | undefined {
  const { origin, path } = rule;
  return rulesAt(origin, path)
    .map(({ known }) => ({ origin, path, ...known }))
    .find((bound) => canonicalJson(rule) === canonicalJson(unbound(bound)));
}

/** Rules of the adapters whose processor has this address, without the address. */
function rulesAt(origin: string, path: string) {
  const [, host] = /^https:\/\/([^/:]+)$/.exec(origin) ?? [];
  if (host === undefined) return [];
  return knownMessages
    .filter(({ hosts }) => hosts.test(host))
    .flatMap(({ prefix, rules, is_bound_only }) =>
      rules
        .filter(({ path: end }) => path.endsWith(end) && prefix.test(path.slice(0, -end.length)))
        .map(({ path: _path, ...known }) => ({ is_bound_only, known })),
    );
}
