import { createIssues } from '../../jsonapi/parse-document/issues.ts';

type Attributes = Readonly<Record<string, unknown>>;

/** Prefix of sandbox network tokens, which bring a cryptogram and have no verification value. */
export const TEST_NETWORK_TOKEN_PREFIX = 'network_token_test_';

const pointerTo = (name: string): string => `/data/attributes/${name}`;

/** Throws 422 with all errors unless a create has exactly one card: a token with its expiry, or a network token. */
export function requireOneCard(attributes: Attributes): void {
  const { card_pan_token, network_token_jwe } = attributes;
  const issues = createIssues();
  const addTo = (name: string, code: 'blank' | 'invalid', detail: string): void =>
    issues.add(code, pointerTo(name), detail);
  if (isSet(card_pan_token) && isSet(network_token_jwe)) {
    addTo('network_token_jwe', 'invalid', 'Send card_pan_token or network_token_jwe, not both.');
  } else if (isSet(network_token_jwe)) {
    for (const name of ['expiry_month', 'expiry_year', 'card_cvv_token'])
      if (isSet(attributes[name]))
        addTo(name, 'invalid', `${name} does not go with network_token_jwe. Leave it out.`);
  } else {
    if (!isSet(card_pan_token))
      addTo('card_pan_token', 'blank', 'card_pan_token or network_token_jwe must have a value.');
    for (const name of ['expiry_month', 'expiry_year'])
      if (!isSet(attributes[name])) addTo(name, 'blank', `${name} must have a value.`);
    if (isTestNetworkToken(card_pan_token) && isSet(attributes.card_cvv_token))
      addTo(
        'card_cvv_token',
        'invalid',
        'A network token has no security code. Leave out card_cvv_token.',
      );
  }
  issues.throwIfAny();
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

const isTestNetworkToken = (token: unknown): boolean =>
  typeof token === 'string' && token.startsWith(TEST_NETWORK_TOKEN_PREFIX);
