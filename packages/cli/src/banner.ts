import { isLocalUrl } from '@florin/contract/origin.ts';

interface KeyPair {
  readonly publishable_key: string;
  readonly secret_key: string;
}

/** Content of `credentials.json`, which the server writes on its first start. */
export interface Credentials {
  readonly base_url: string;
  readonly dashboard_url: string;
  /** Null where the server has no demo shop. */
  readonly shop_url: string | null;
  readonly sandbox: KeyPair;
  readonly account: { readonly email: string; readonly password: string | null };
}

export interface BannerFacts {
  readonly credentials: Credentials;
  readonly credentials_path: string;
  readonly first_start: boolean;
  readonly log_directory: string;
  /** Whether a person reads the text in a terminal. A service's journal must not contain secrets. */
  readonly terminal: boolean;
}

/** Text after a successful start: addresses, and in a terminal also credentials and things to try. */
export function renderBanner(facts: BannerFacts): string {
  const { base_url, dashboard_url, shop_url, account } = facts.credentials;
  const places = [
    ['API', `${base_url}/v2`],
    ['Documentation', `${base_url}/docs`],
    ...(shop_url ? [['Demo shop', shop_url]] : []),
    ['Dashboard', dashboard_url],
    ['Sign in as', account.email + (facts.terminal ? passwordText(account) : '')],
    ...(facts.terminal ? keysOf(facts.credentials) : []),
  ];
  return `
Florin is ready${facts.first_start ? firstStartText(shop_url) : ''}.
The sandbox accepts test cards. Live mode needs an account at a processor: ${base_url}/docs/operate/processors

${places.map(([name = '', value]) => `  ${name.padEnd(NAME_WIDTH)}${value}`).join('\n')}

  Keys and login are stored in ${facts.credentials_path}. Logs are in ${facts.log_directory}.
${facts.terminal ? thingsToTry(facts.credentials) : ''}`;
}

const NAME_WIDTH = 17;

const passwordText = ({ password }: Credentials['account']): string =>
  password ? `  /  ${password}` : '';

const keysOf = ({ sandbox }: Credentials): readonly (readonly string[])[] => [
  ['Publishable key', `${sandbox.publishable_key}   (sandbox)`],
  ['Secret key', `${sandbox.secret_key}   (sandbox)`],
];

/** Demo orders can be switched off. Accounts, alerts and other demo records are always created. */
const firstStartText = (shop_url: string | null): string =>
  `. It created a demo merchant${shop_url ? ' with sample records' : ''} in the sandbox`;

const thingsToTry = ({ base_url, shop_url, sandbox }: Credentials): string => `
Things to try:

${shop_url ? shopText(shop_url) : ''}  - Create a customer:
${indent(curlCommand(base_url, sandbox.secret_key, 'customers', CUSTOMER))}
  - Receive a webhook for every payment that succeeds or fails (replace the URL with that of your server):
${indent(curlCommand(base_url, sandbox.secret_key, 'webhook_subscriptions', webhookFor(base_url)))}

Press Ctrl-C to stop.
`;

const shopText = (shop_url: string): string =>
  `  - Pay in the demo shop with card ${APPROVED_CARD}, any future date and any CVV: ${shop_url}
    With ${DECLINED_CARD} the bank declines.
`;

/** Two of the sandbox's test cards; `/docs/sandbox/cards` lists all. */
const APPROVED_CARD = '4005 5192 0000 0004';
const DECLINED_CARD = '4124 9399 9999 9990';

const CUSTOMER = { email: 'ada@example.com', name: 'Ada Lovelace' };

/** A server with a public address sends webhooks to public addresses only. */
const webhookFor = (base_url: string) => ({
  url: isLocalUrl(base_url)
    ? 'http://localhost:3000/webhooks'
    : 'https://shop.example.com/webhooks',
  description: 'My first webhook',
  events: ['transaction.payment_demands.succeeded', 'transaction.payment_demands.failed'],
});

function curlCommand(base_url: string, key: string, type: string, attributes: object): string {
  const body = JSON.stringify({ data: { type, attributes } });
  return [
    `curl ${base_url}/v2/${type} \\`,
    `  -H 'Authorization: Bearer ${key}' \\`,
    `  -H 'User-Agent: first-steps/1.0' \\`,
    `  -H 'Content-Type: application/vnd.api+json' \\`,
    `  -d '${body}'`,
  ].join('\n');
}

const indent = (text: string): string => text.replaceAll(/^/gm, '     ');
