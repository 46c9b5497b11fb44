import type { FrameConfig } from '@florin/contract/protocol/frame.ts';
import { describe, expect, it } from 'vitest';
import { renderFormErrorPage } from './form-error-page.ts';
import { renderFormPage } from './form-page.ts';
import { languageOf } from './language.ts';

const config: FrameConfig = {
  session: 'nonce.payload.mac',
  payment_id: '01997a6e-0000-7000-8000-000000000001',
  amount: '2499',
  currency: 'USD',
  amount_text: '$24.99',
  mode: 'sandbox',
  origins: [],
  issued_at: 1_900_000_000,
  sealing_key: { kid: 'k1', kty: 'EC', crv: 'P-256', x: 'x', y: 'y' },
  verify_url: '/frame/v1/verify',
  status_url: '/frame/v1/status',
  abandon_url: '/frame/v1/abandon',
  locale: 'ar',
  texts: { title: 'A & B' },
};
const assets = { script_url: '/v1/form.js', script_integrity: 'sha384-abc', style: 'p{margin:0}' };

function directivesOf(page: { headers: Readonly<Record<string, string>> }): Record<string, string> {
  const text = page.headers['content-security-policy'] ?? '';
  return Object.fromEntries(
    text.split('; ').map((directive) => directive.split(/ (.*)/).slice(0, 2)),
  );
}

describe('formPage', () => {
  it('allows its own script, style and calls, and nothing else', () => {
    expect(directivesOf(renderFormPage(config, assets))).toEqual({
      'default-src': "'none'",
      'script-src': "'self'",
      'connect-src': "'self'",
      'style-src': "'sha256-QRQPRLGyxt3RJiKpYNjpkgHcmHU2PywsfL2e8oI0LQA='",
      'form-action': "'none'",
      'base-uri': "'none'",
      'frame-ancestors': 'http: https:',
      'report-uri': '/frame/v1/csp-report',
      'require-trusted-types-for': "'script'",
      'trusted-types': "'none'",
    });
  });

  it('is never stored, sniffed or named in a Referer, and may be embedded by an isolated shop', () => {
    expect(renderFormPage(config, assets).headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-embedder-policy': 'require-corp',
      'cross-origin-resource-policy': 'cross-origin',
      'origin-agent-cluster': '?1',
    });
  });

  it.each([
    ['sandbox', [], 'http: https:'],
    ['live', [], "'none'"],
    [
      'live',
      ['https://a.example', 'https://b.example:444'],
      'https://a.example https://b.example:444',
    ],
    ['sandbox', ['http://shop.localhost:4000'], 'http://shop.localhost:4000'],
  ] as const)('in %s with the origins %s is framed by %s', (mode, origins, ancestors) => {
    const page = renderFormPage({ ...config, mode, origins }, assets);
    expect(directivesOf(page)['frame-ancestors']).toBe(ancestors);
  });

  it.each([
    'https://a.example; script-src *',
    'https://a;script-src',
    'https://*.example',
    'https://a.example/',
    'a.example',
    '*',
    'null',
  ])('refuses %s as an origin', (origin) => {
    expect(() => renderFormPage({ ...config, origins: [origin] }, assets)).toThrow(/not an origin/);
  });

  it('embeds the configuration safely, whatever it contains', () => {
    const session = '</script><script>alert(1)</script>';
    const { html } = renderFormPage({ ...config, session }, assets);
    const json = /<script type="application\/json" id="florin-config">(.*)<\/script>/.exec(
      html,
    )?.[1];
    expect(JSON.parse(json ?? '')).toEqual({ ...config, session });
    expect(html.match(/<script/g)).toHaveLength(2);
  });

  it('allows Google’s script only if Google Pay is offered in live mode', () => {
    const embedding = { isIsolated: false, frames: "'self' https:" };
    const pageWithGoogle = renderFormPage(config, assets, { ...embedding, hasGooglePay: true });
    expect(directivesOf(pageWithGoogle)).toMatchObject({
      'script-src': "'self' https://pay.google.com",
      'connect-src': "'self' https://pay.google.com https://google.com",
      'frame-src': "'self' https:",
    });
    expect(directivesOf(pageWithGoogle)).not.toHaveProperty('trusted-types');
    // The card form does not wait for the wallet's script.
    expect(pageWithGoogle.html).toContain(
      '<script async src="https://pay.google.com/gp/p/js/pay.js"></script>',
    );
    const pageWithoutGoogle = renderFormPage(config, assets, { ...embedding, hasGooglePay: false });
    expect(JSON.stringify(pageWithoutGoogle)).not.toContain('google');
    expect(directivesOf(pageWithoutGoogle)['trusted-types']).toBe("'none'");
  });

  it('declares its language and its direction', () => {
    expect(renderFormPage(config, assets).html).toContain('<html lang="ar" dir="rtl">');
    expect(renderFormPage(config, assets).html).toContain('<title>A &amp; B</title>');
  });

  it('pins its script', () => {
    expect(renderFormPage(config, assets).html).toContain(
      'src="/v1/form.js" integrity="sha384-abc"',
    );
  });
});

describe('formErrorPage', () => {
  it('runs no script, and is readable in any frame', () => {
    const refused = { title: 'Card <form>', code: 'unknown_key' } as const;
    const page = renderFormErrorPage('p{margin:0}', languageOf('de'), refused);
    expect(page.html).toContain('<code>unknown_key</code>');
    expect(page.html).toContain('<title>Card &lt;form&gt;</title>');
    expect(page.html).toContain(languageOf('de').text('refused_title'));
    expect(page.status).toBe(404);
    expect(page.html).not.toContain('<script');
    expect(directivesOf(page)).toMatchObject({
      'script-src': "'none'",
      'frame-ancestors': 'http: https:',
    });
  });
});
