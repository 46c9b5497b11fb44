import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type {
  FrameConfig,
  StatusAnswer,
  VerifyAnswer,
  VerifyRequest,
} from '@florin/contract/protocol/frame.ts';
import { formErrorPage } from '@florin/server/hosted/form-error-page.ts';
import { formPage } from '@florin/server/hosted/form-page.ts';
import type { Page } from '@florin/server/hosted/page.ts';
import { type CryptoKey, exportJWK, generateKeyPair } from 'jose';
import { buildBundles } from './bundles.ts';

export const PAYMENT_ID = '01997a6e-0000-7000-8000-000000000001';
export const PUBLISHABLE_KEY = 'ept_sandbox_bsQsnYGFoLvE2Qt7tmsvuDESB';

/** What the form's server answers: a body, a bare status, or nothing for as long as the promise is open. */
export type Answer<Body> = Body | number | Promise<Body | number>;

/** The origins around a form, with a form's server whose answers the test chooses. */
export interface FormStand {
  readonly shop: string;
  readonly pay: string;
  readonly evil: string;
  readonly privateKey: CryptoKey;
  /** Bodies of the verify calls since the last reset. */
  readonly verified: VerifyRequest[];
  verify: () => Answer<VerifyAnswer>;
  status: () => Answer<StatusAnswer>;
  origins: string[];
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

export async function createFormStand(): Promise<FormStand> {
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

  const stand: FormStand = {
    shop: origin('shop'),
    pay: origin('pay'),
    evil: origin('evil'),
    privateKey,
    verified: [],
    verify: () => ({ result: 'verified', detail }),
    status: () => ({ status: 'waiting', detail }),
    origins: [],
    reset() {
      stand.verified.length = 0;
      stand.verify = () => ({ result: 'verified', detail });
      stand.status = () => ({ status: 'waiting', detail });
      stand.origins = [];
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  const config = (): FrameConfig => ({
    session: 'nonce-1.payload.mac',
    payment_id: PAYMENT_ID,
    amount: '2499',
    currency: 'USD',
    mode: 'sandbox',
    origins: stand.origins,
    issued_at: Math.floor(Date.now() / 1000),
    sealing_key: { kid: 'k1', kty: 'EC', crv: 'P-256', x, y },
    verify_url: '/frame/v1/verify',
    status_url: '/frame/v1/status',
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', stand.pay);
    if (!request.headers.host?.startsWith('pay.')) return sendPage(response, shopPage(stand.pay));
    if (pathname === '/v1/florin.js') return send(response, 200, 'text/javascript', bundles.sdk);
    if (pathname === '/v1/form.js') return send(response, 200, 'text/javascript', bundles.form);
    if (pathname === `/pay/${PAYMENT_ID}`)
      return sendPage(response, formPage(config(), bundles.assets));
    if (pathname === '/frame/v1/verify') {
      stand.verified.push(JSON.parse(await text(request)));
      return sendAnswer(response, await stand.verify());
    }
    if (pathname === '/frame/v1/status') return sendAnswer(response, await stand.status());
    return sendPage(response, formErrorPage(bundles.assets.style));
  }

  return stand;
}

/** A shop under the strictest policy that lets the form in. */
const shopPage = (pay: string): Page => ({
  status: 200,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; script-src ${pay}; frame-src ${pay}`,
  },
  html: `<!doctype html><html lang="en"><title>Shop</title><script src="${pay}/v1/florin.js"></script>
<button id="before">Before</button><div id="form"></div><div id="other"></div><button id="after">After</button>`,
});

const sendPage = (response: ServerResponse, { status, headers, html }: Page): void =>
  void response.writeHead(status, headers).end(html);

const send = (
  response: ServerResponse,
  status: number,
  type: string,
  body: Buffer | string,
): void =>
  void response
    .writeHead(status, { 'content-type': type, 'cross-origin-resource-policy': 'cross-origin' })
    .end(body);

function sendAnswer(response: ServerResponse, answer: object | number): void {
  if (typeof answer === 'number') send(response, answer, 'text/plain', '');
  else send(response, 200, 'application/json', JSON.stringify(answer));
}
