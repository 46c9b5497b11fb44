import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  type AbandonRequest,
  FORM_PARAMETER,
  type FrameConfig,
  LOCALE_PARAMETER,
  STATES_URL,
  type StatusAnswer,
  type VerifyAnswer,
  type VerifyRequest,
  type WalletRequest,
} from '@florin/contract/protocol/frame.ts';
import { renderFormPage } from '@florin/server/features/checkout/pages/form-page.ts';
import { renderClosedForm } from '@florin/server/features/checkout/routes/closed-form.ts';
import { statesOf } from '@florin/server/features/checkout/routes/states.ts';
import { type FormLocale, pickLocale } from '@florin/server/http/pages/form-locale.ts';
import type { Page } from '@florin/server/http/pages/page.ts';
import { type CryptoKey, exportJWK, generateKeyPair } from 'jose';
import { buildBundles, readLocales } from './bundles.ts';

export const PAYMENT_ID = '01997a6e-0000-7000-8000-000000000001';
export const PUBLISHABLE_KEY = 'ept_sandbox_bsQsnYGFoLvE2Qt7tmsvuDESB';

/**
 * Response of the form's server: a body, a status without a body, a cut connection, or none while the promise is
 * pending.
 */
export type Answer<Body> = Body | number | 'cut' | Promise<Body | number | 'cut'>;

/** Origins of a shop and a form, with a server whose responses the test sets. */
export interface FormTestbed {
  readonly shopUrl: string;
  readonly payUrl: string;
  readonly evilUrl: string;
  readonly privateKey: CryptoKey;
  /** Bodies of the verification requests since the last reset. */
  readonly verifyRequests: VerifyRequest[];
  verify: () => Answer<VerifyAnswer>;
  status: () => Answer<StatusAnswer>;
  /** Bodies of the requests to abandon an attempt since the last reset. */
  readonly abandonRequests: AbandonRequest[];
  /** Returns the response to an abandonment. Default: no response. */
  abandon: () => Answer<VerifyAnswer>;
  origins: string[];
  /** Whether no processor takes the payment. */
  isClosed: boolean;
  /** Overrides of the form's configuration. With wallets, the form loads the real Google Pay. */
  config: Partial<FrameConfig>;
  /** Bodies of the wallet requests since the last reset. */
  readonly walletRequests: WalletRequest[];
  /** Every request to the form's origin since the last reset, by method and path. */
  readonly requests: string[];
  /** Replacements of served scripts by path. */
  readonly scriptOverrides: Map<string, string>;
  /** Integrity hash of the SDK in the shop's page. Default: none. */
  pinnedIntegrity: string | undefined;
  readonly integrity: string;
  reset(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

export const detail = {
  payment_demand: PAYMENT_ID,
  payment_method: '01997a6e-0000-7000-8000-000000000002',
  brand: 'visa',
  last_four: '0004',
  card_pan_token: 'pan_0123456789abcdefghjkmnpqrs',
} as const;

export async function createFormTestbed(): Promise<FormTestbed> {
  const bundles = await buildBundles();
  const { publicKey, privateKey } = await generateKeyPair('ECDH-ES', {
    crv: 'P-256',
    extractable: true,
  });
  const { x = '', y = '' } = await exportJWK(publicKey);
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = (name: string) => `http://${name}.localhost:${port}`;

  const testbed: FormTestbed = {
    shopUrl: origin('shop'),
    payUrl: origin('pay'),
    evilUrl: origin('evil'),
    privateKey,
    verifyRequests: [],
    abandonRequests: [],
    requests: [],
    scriptOverrides: new Map(),
    pinnedIntegrity: undefined,
    integrity: bundles.sdk_integrity,
    verify: () => ({ result: 'verified', detail }),
    status: () => ({ status: 'waiting', detail }),
    abandon: () => 503,
    origins: [],
    isClosed: false,
    config: {},
    walletRequests: [],
    reset() {
      testbed.verifyRequests.length = testbed.requests.length = testbed.abandonRequests.length = 0;
      testbed.abandon = () => 503;
      testbed.scriptOverrides.clear();
      testbed.pinnedIntegrity = undefined;
      testbed.verify = () => ({ result: 'verified', detail });
      testbed.status = () => ({ status: 'waiting', detail });
      testbed.origins = [];
      testbed.isClosed = false;
      testbed.config = {};
      testbed.walletRequests.length = 0;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  const locales = readLocales();
  const createConfig = ({ tag, texts }: FormLocale): FrameConfig => ({
    session: 'nonce-1.payload.mac',
    payment_id: PAYMENT_ID,
    amount: '2499',
    currency: 'USD',
    amount_text: '$24.99',
    mode: 'sandbox',
    origins: testbed.origins,
    issued_at: Math.floor(Date.now() / 1000),
    sealing_key: { kid: 'k1', kty: 'EC', crv: 'P-256', x, y },
    verify_url: '/frame/v1/verify',
    status_url: '/frame/v1/status',
    abandon_url: '/frame/v1/abandon',
    locale: tag,
    texts,
    ...testbed.config,
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', testbed.payUrl);
    if (pathname === '/around') return sendPage(response, framingPage(testbed.shopUrl));
    if (!request.headers.host?.startsWith('pay.')) return sendPage(response, shopPage(testbed));
    testbed.requests.push(`${request.method} ${pathname}`);
    if (pathname.startsWith(STATES_URL))
      return sendAnswer(response, statesOf(pathname.slice(STATES_URL.length)));
    const script = bundles.scripts.get(pathname);
    if (script) return sendScript(response, testbed.scriptOverrides.get(pathname) ?? script);
    const factor = searchParams.get(FORM_PARAMETER) === 'embedded' ? 'embedded' : 'inputs';
    const requestedLocale = searchParams.get(LOCALE_PARAMETER) ?? '';
    const locale = pickLocale(locales, requestedLocale, request.headers['accept-language'] ?? '');
    if (testbed.isClosed)
      return sendPage(response, renderClosedForm(bundles.forms.closed, locale, 'no_processor'));
    if (pathname === `/pay/${PAYMENT_ID}`)
      return sendPage(
        response,
        testbed.config.wallets
          ? renderFormPage(createConfig(locale), bundles.forms.wallets, GOOGLE_POLICY)
          : renderFormPage(createConfig(locale), bundles.forms[factor]),
      );
    if (pathname === '/frame/v1/wallet') {
      testbed.walletRequests.push(JSON.parse(await text(request)));
      return sendAnswer(response, await testbed.verify());
    }
    if (pathname === '/frame/v1/verify') {
      testbed.verifyRequests.push(JSON.parse(await text(request)));
      return sendAnswer(response, await testbed.verify());
    }
    if (pathname === '/frame/v1/abandon') {
      testbed.abandonRequests.push(JSON.parse(await text(request)));
      return sendAnswer(response, await testbed.abandon());
    }
    if (pathname === '/frame/v1/status') return sendAnswer(response, await testbed.status());
    return sendPage(response, renderClosedForm(bundles.forms.inputs, locale, 'unknown_payment'));
  }

  return testbed;
}

const GOOGLE_POLICY = { isIsolated: false, frames: "'self' https:", hasGooglePay: true };

/** A shop with Trusted Types and the strictest content security policy that permits the form. */
const shopPage = ({ payUrl, pinnedIntegrity }: FormTestbed): Page => ({
  status: 200,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; script-src ${payUrl}; frame-src ${payUrl}; require-trusted-types-for 'script'; trusted-types 'none'`,
  },
  html: `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Shop</title>
<script src="${payUrl}/v1/florin.js"${pinnedIntegrity ? ` integrity="${pinnedIntegrity}" crossorigin` : ''}></script>
<button id="before">Before</button><div id="form"></div><div id="other"></div><button id="after">After</button>`,
});

/** A page of another site that frames the shop. */
const framingPage = (shopUrl: string): Page => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  html: `<!doctype html><html lang="en"><title>Around</title><iframe src="${shopUrl}"></iframe>`,
});

const sendPage = (response: ServerResponse, { status, headers, html }: Page): void =>
  void response.writeHead(status, headers).end(html);

const sendScript = (response: ServerResponse, body: Buffer | string): void =>
  void response
    .writeHead(200, {
      'content-type': 'text/javascript',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
    })
    .end(body);

function sendAnswer(response: ServerResponse, answer: object | number | 'cut'): void {
  if (answer === 'cut') response.destroy();
  else if (typeof answer === 'number') response.writeHead(answer).end();
  else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}
