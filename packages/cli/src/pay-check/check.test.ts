import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { checkPay } from './check.ts';

let close: () => void = () => {};
afterEach(() => close());

/** Serves bodies by path, without any security headers. */
async function servePages(bodies: Readonly<Record<string, string>>): Promise<string> {
  const server = createServer(({ url = '' }, response) => response.end(bodies[url] ?? ''));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const SCRIPT = 'globalThis.Florin = class {}';
const integrity = `sha384-${createHash('sha384').update(SCRIPT).digest('base64')}`;
const manifest = JSON.stringify({ 'florin.js': { url: '/v1/pinned.js', integrity } });
const ALTERED = 'it does not match its hash';

const findAltered = async (address: string) =>
  (await checkPay(address))
    .filter(({ differences }) => differences.includes(ALTERED))
    .map(({ subject }) => subject);

describe('the check of what a pay origin serves', () => {
  it('#19 reports a modified script, at each of its addresses', async () => {
    const rightBodies = {
      '/v1/sri.json': manifest,
      '/v1/florin.js': SCRIPT,
      '/v1/pinned.js': SCRIPT,
    };
    expect(await findAltered(await servePages(rightBodies))).toEqual([]);
    close();
    const wrongBodies = { ...rightBodies, '/v1/florin.js': `${SCRIPT};evil()` };
    expect(await findAltered(await servePages(wrongBodies))).toEqual(['/v1/florin.js']);
  });

  it.each([
    ['without a hash', '<script src="/v1/form.js"></script>'],
    ['that stands in it', '<script>evil()</script>'],
    ['that calls itself data', `<script data-x='type="application/json"'>evil()</script>`],
    ['of two types', '<script type="module" type="application/json">evil()</script>'],
    ['behind a bracket', `<script data-x=">" src="https://evil.example/x.js"></script>`],
    ['of nowhere', `<script src="https://" integrity="${integrity}"></script>`],
    ['like Google’s', '<script src="https://pay.google.com.evil.example/gp/p/js/pay.js"></script>'],
  ])('#19 reports a document that runs a script %s', async (_how, html) => {
    const origin = await servePages({ '/v1/sri.json': manifest, '/pay/x': html });
    const document = (await checkPay(`${origin}/pay/x`)).find(
      ({ subject }) => subject === '/pay/x',
    );
    expect(document?.differences).toContain('it runs a script without a hash');
  });

  it("#19 accepts the form's document unchanged, with Google’s script in live mode", async () => {
    const html = `<script async src="https://pay.google.com/gp/p/js/pay.js"></script>
<script type="application/json" id="florin-config">{}</script>
<script src="/v1/pinned.js" integrity="${integrity}"></script>`;
    const bodies = { '/v1/sri.json': manifest, '/pay/x': html, '/v1/pinned.js': SCRIPT };
    const checkedFiles = await checkPay(`${await servePages(bodies)}/pay/x`);
    const document = checkedFiles.find(({ subject }) => subject === '/pay/x');
    expect(document?.differences.filter((difference) => difference.startsWith('it runs'))).toEqual(
      [],
    );
    expect(checkedFiles.filter(({ subject }) => subject === '/v1/pinned.js')).toHaveLength(2);
  });

  it('#19 reports a document that runs many scripts, and fetches only a few of them', async () => {
    const html = `<script src="/v1/x.js" integrity="${integrity}"></script>`.repeat(1_000);
    const bodies = { '/v1/sri.json': manifest, '/pay/x': html, '/v1/x.js': SCRIPT };
    const checkedFiles = await checkPay(`${await servePages(bodies)}/pay/x`);
    expect(checkedFiles.flatMap(({ differences }) => differences)).toContain(
      'it runs more scripts than a form has',
    );
    expect(checkedFiles.length).toBeLessThan(10);
  });

  it('#19 reports a script of the form that differs from the hash in its document', async () => {
    const html = `<script src="/v1/form.js" integrity="${integrity}"></script>`;
    const bodies = { '/v1/sri.json': manifest, '/pay/x': html, '/v1/form.js': 'evil()' };
    expect(await findAltered(`${await servePages(bodies)}/pay/x`)).toContain('/v1/form.js');
  });

  describe('with the keys of the vault', () => {
    const key = { kty: 'EC', crv: 'P-256', x: 'eA', y: 'eQ' };
    const kid = createHash('sha256')
      .update('{"crv":"P-256","kty":"EC","x":"eA","y":"eQ"}')
      .digest('base64url');
    const formOf = (sealing_key: object) =>
      `<script type="application/json" id="florin-config">${JSON.stringify({ sealing_key })}</script>`;
    const keyDifferences = async (html: string) => {
      const origin = await servePages({ '/v1/sri.json': manifest, '/pay/x': html });
      const files = await checkPay(`${origin}/pay/x`, undefined, ['other', kid]);
      const form = files.find(({ subject }) => subject === '/pay/x');
      return form?.differences.filter((difference) => difference.includes(' key'));
    };

    it.each<[string, string, readonly string[]]>([
      ['accepts a form with one of them', formOf({ ...key, kid }), []],
      [
        'reports a form with another key under the right name',
        formOf({ ...key, kid, x: 'ZXZpbA' }),
        ['it seals cards for a key that is not listed'],
      ],
      [
        'reports a form with two configurations',
        formOf({ ...key, kid }) + formOf({ ...key, x: 'ZXZpbA' }),
        ['it names no key, so give the address of a form of an open payment'],
      ],
    ])('%s', async (_name, html, differences) => {
      expect(await keyDifferences(html)).toEqual(differences);
    });
  });

  it.each(['ftp://pay.example.com', 'pay.example.com', ''])(
    'refuses the address %j',
    async (address) => {
      await expect(checkPay(address)).rejects.toThrow(/^The address must be that of a pay origin/);
    },
  );

  const pin = { url: '/v1/pinned.js', integrity };
  it.each<[string, unknown]>([
    ['none', ''],
    ['no object', null],
    ['an empty one', {}],
    ['one of no scripts', { 'florin.js': null }],
    ['one too long', Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`${at}.js`, pin]))],
    ['one with a name that a terminal obeys', { '\u001b[2Jflorin.js': pin }],
    ['one that leads elsewhere', { 'florin.js': { ...pin, url: '//evil.example/x/y.js' } }],
    ['one with no hash', { 'florin.js': { ...pin, integrity: 'sha384-' } }],
  ])('reports a list of scripts that is %s', async (_what, list) => {
    const origin = await servePages({ '/v1/sri.json': list === '' ? '' : JSON.stringify(list) });
    await expect(checkPay(origin)).rejects.toThrow(/^The list of scripts \(sri\.json\) is missing/);
  });
});
