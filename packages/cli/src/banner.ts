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
}

/** Text after a successful start: addresses, credentials and things to try. */
export function renderBanner(facts: BannerFacts): string {
  const { credentials, credentials_path } = facts;
  const { base_url, dashboard_url, shop_url, sandbox, account } = credentials;
  return `
Florin is ready${facts.first_start ? FIRST_START : ''}.
The sandbox accepts test cards. Live mode refuses cards: no payment processor is connected.

  API              ${base_url}/v2
  Documentation    ${base_url}/docs${shop_url ? `\n  Demo shop        ${shop_url}` : ''}
  Dashboard        ${dashboard_url}
  Sign in as       ${account.email}${account.password ? `  /  ${account.password}` : ''}
  Publishable key  ${sandbox.publishable_key}   (sandbox)
  Secret key       ${sandbox.secret_key}   (sandbox)

  Keys and login are stored in ${credentials_path}. Logs are in ${facts.log_directory}.

Things to try:

${shop_url ? shopText(shop_url) : ''}  - Create a customer:
${indent(curlCommand(base_url, sandbox.secret_key, 'customers', CUSTOMER))}
  - Receive a webhook for every payment that succeeds or fails (replace the URL with that of your server):
${indent(curlCommand(base_url, sandbox.secret_key, 'webhook_subscriptions', WEBHOOK))}

Press Ctrl-C to stop.
`;
}

const shopText = (shop_url: string): string =>
  `  - Pay in the demo shop with card ${APPROVED_CARD}, any future date and any CVV: ${shop_url}
    With ${DECLINED_CARD} the bank declines.
`;

/** Demo orders can be switched off. Accounts, alerts and other demo records are always created. */
const FIRST_START = '. It created a demo merchant with sample records in the sandbox';

/** Two of the sandbox's test cards; `/docs/sandbox/cards` lists all. */
const APPROVED_CARD = '4005 5192 0000 0004';
const DECLINED_CARD = '4124 9399 9999 9990';

const CUSTOMER = { email: 'ada@example.com', name: 'Ada Lovelace' };
const WEBHOOK = {
  url: 'http://localhost:3000/webhooks',
  description: 'My first webhook',
  events: ['transaction.payment_demands.succeeded', 'transaction.payment_demands.failed'],
};

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
