/** Inputs of a snippet. */
export interface SnippetParts {
  /** Versioned URL of the SDK's script, which never changes. */
  readonly sdk_url: string;
  /** Integrity hash of the SDK's script: `sha384-…`. */
  readonly integrity: string;
  readonly publishable_key: string;
  /** Origin of the interface. */
  readonly base_url: string;
  /** Whether no processor takes payments in the mode of these keys. */
  readonly closed: boolean;
}

const CLOSED =
  'Live keys take no payment before a payment processor is connected: use sandbox keys.';

/** Removes characters that could end a script or an attribute. */
const withoutQuotes = (text: string): string => text.replace(/[^\w.:/+=-]/g, '');

/** Source of a page that takes one payment. The page needs the server of `serverSnippet`. */
export const pageSnippet = ({
  sdk_url,
  integrity,
  publishable_key,
  closed,
}: SnippetParts): string =>
  `${closed ? `<!-- ${CLOSED} -->\n` : ''}<script src="${withoutQuotes(sdk_url)}" integrity="${withoutQuotes(integrity)}" crossorigin="anonymous"></script>

<div id="payment-form"></div>
<p id="payment-result" role="status"></p>

<script>
  const florin = new Florin('${withoutQuotes(publishable_key)}', { formFactor: 'embedded' });
  const tell = (text) => (document.getElementById('payment-result').textContent = text);

  async function takePayment() {
    const { id } = await (await fetch('/payments', { method: 'POST' })).json();
    florin.on('payment_method_verified', async () => {
      const confirmed = await fetch('/payments/' + id + '/confirm', { method: 'POST' });
      if (!confirmed.ok) tell('The payment was not confirmed.');
    });
    florin.mountPaymentForm('payment-form', id);
    await florin.listenToPayment(id);
    tell('Paid. Thank you!');
  }
  takePayment().catch((error) => tell(error.message));
</script>
`;

/**
 * Source of a server for the page of `pageSnippet`, in plain Node. The server reads the secret key from its
 * environment and never sends the key to the page.
 */
export const serverSnippet = ({ base_url, closed }: SnippetParts): string =>
  `${closed ? `// ${CLOSED}\n` : ''}// node server.mjs, with the page beside it as index.html and your secret key in FLORIN_SECRET_KEY
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { env } from 'node:process';

async function florin(method, path, data) {
  const response = await fetch('${withoutQuotes(base_url)}/v2/' + path, {
    method,
    headers: {
      authorization: 'Bearer ' + env.FLORIN_SECRET_KEY,
      'content-type': 'application/vnd.api+json',
      'user-agent': 'my-shop/1',
    },
    ...(data && { body: JSON.stringify({ data }) }),
  });
  const document = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(document.errors));
  return document.data;
}

async function createPayment() {
  const customer = await florin('POST', 'customers', {
    type: 'customers',
    attributes: { email: 'ada@example.com', name: 'Ada Lovelace' },
  });
  return florin('POST', 'payment_demands', {
    type: 'payment_demands',
    attributes: {
      amount_cents: 2500,
      amount_currency: 'USD',
      purchase_reference: 'order-1',
      purchase_kind: 'order',
    },
    relationships: { payer: { data: { type: 'customers', id: customer.id } } },
  });
}

const PORT = Number(env.PORT ?? 3000);
createServer(async (request, response) => {
  try {
    const confirmed = /^\\/payments\\/([0-9a-f-]{36})\\/confirm$/.exec(request.url);
    if (request.method === 'POST' && confirmed) {
      await florin('PATCH', 'payment_demands/' + confirmed[1] + '/confirm');
      response.writeHead(204).end();
    } else if (request.method === 'POST' && request.url === '/payments') {
      const { id } = await createPayment();
      response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ id }));
    } else {
      const page = await readFile(new URL('index.html', import.meta.url));
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
    }
  } catch (error) {
    console.error(error);
    response.writeHead(502).end();
  }
}).listen(PORT, () => console.log('http://localhost:' + PORT));
`;
