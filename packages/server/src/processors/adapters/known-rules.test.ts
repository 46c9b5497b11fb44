import { boundFormOf, isKnownRule, unbound } from '@florin/contract/protocol/known-rules.ts';
import { expect, it } from 'vitest';
import { adapters } from './index.ts';

type Settings = Readonly<Record<string, string>>;

/** Settings that the rules of an adapter need beside the address. */
const OTHER_SETTINGS: Readonly<Record<string, (area: string) => Settings>> = {
  adyen: (area) => ({ merchant_account: 'AcmeECOM', report_url: area, disputes_url: area }),
};
const ADDRESSES: readonly [name: keyof typeof adapters, api_url: string, area?: string][] = [
  ['adyen', 'https://checkout-test.adyen.com', 'https://ca-test.adyen.com'],
  [
    'adyen',
    'https://1797a841fbb37ca7-AdyenDemo-checkout-live.adyenpayments.com/checkout',
    'https://ca-live.adyen.com',
  ],
  ['checkout_com', 'https://abcd1234.api.checkout.com'],
  ['checkout_com', 'https://abcd1234.api.sandbox.checkout.com'],
  ['worldpay_cnp', 'https://payments.vantivcnp.com/vap'],
  ['worldpay_cnp', 'https://payments.vantivprelive.com/vap'],
];

const rulesAt = (name: keyof typeof adapters, api_url: string, area = '') => {
  const settings = { api_url, ...OTHER_SETTINGS[name]?.(area) };
  return adapters[name]?.egress?.({ id: 'account', mode: 'sandbox', settings }) ?? [];
};

it.each(ADDRESSES)('the vault knows the rules of %s at %s by itself', (name, ...addresses) => {
  const rules = rulesAt(name, ...addresses);
  expect(rules.length).toBeGreaterThan(0);
  // Reports are of one merchant's account at Adyen, so an operator accepts them.
  const unknown = rules.filter((rule) => !isKnownRule(rule));
  expect(unknown.filter(({ path }) => !path.startsWith('/reports/download/'))).toEqual([]);
  expect(rules.map((rule) => boundFormOf(unbound(rule)))).toEqual(rules);
});

it.each(ADDRESSES)(
  'the vault knows no rule of %s at another host than %s',
  (name, ...addresses) => {
    const moveTo = (host: string) =>
      addresses.map((address) => address?.replace(/(?<=^https:\/\/)[^/]+/, host));
    const { host: ownHost } = new URL(addresses[0]);
    for (const host of ['a.example', `${ownHost}.a.example`, `${ownHost}:8443`]) {
      const [api_url = '', area] = moveTo(host);
      const rules = rulesAt(name, api_url, area);
      expect(rules.filter((rule) => isKnownRule(rule) || boundFormOf(unbound(rule)))).toEqual([]);
    }
  },
);

it('every shipped adapter is in the list', () => {
  expect(Object.keys(adapters).filter((name) => !ADDRESSES.some(([it]) => it === name))).toEqual(
    [],
  );
});
