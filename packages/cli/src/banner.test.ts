import { describe, expect, it } from 'vitest';
import { renderBanner } from './banner.ts';

const facts = {
  credentials: {
    base_url: 'http://localhost:4000',
    dashboard_url: 'http://localhost:4000/dashboard',
    shop_url: 'http://localhost:4000/shop',
    sandbox: { publishable_key: 'pub_1', secret_key: 'sec_1' },
    account: { email: 'owner@demo.example', password: 'pass_1' },
  },
  credentials_path: '/data/credentials.json',
  first_start: true,
  log_directory: '/data/logs',
  terminal: true,
};

describe('the banner', () => {
  it.each([
    'http://localhost:4000/shop',
    'http://localhost:4000/docs',
    'sample records in the sandbox',
    'Live mode needs an account at a processor: http://localhost:4000/docs/operate/processors',
    'http://localhost:4000/dashboard',
    'pub_1',
    'sec_1',
    'owner@demo.example  /  pass_1',
    '/data/credentials.json',
    `curl http://localhost:4000/v2/customers`,
    `-H 'Authorization: Bearer sec_1'`,
  ])('shows %s', (text) => {
    expect(renderBanner(facts)).toContain(text);
  });

  it('names no demo shop where the server has none', () => {
    const text = renderBanner({ ...facts, credentials: { ...facts.credentials, shop_url: null } });
    expect(text).not.toMatch(/shop/i);
  });

  it('shows no password if it is unknown', () => {
    const account = { email: 'owner@demo.example', password: null };
    const text = renderBanner({ ...facts, credentials: { ...facts.credentials, account } });
    expect(text).toMatch(/owner@demo\.example\n/);
  });

  it('keeps secrets out of output that is no terminal, such as the journal of a service', () => {
    const text = renderBanner({ ...facts, terminal: false });
    expect(text).toContain('/data/credentials.json');
    expect(text).toContain('owner@demo.example');
    for (const secret of ['pass_1', 'sec_1', 'Ctrl-C']) expect(text).not.toContain(secret);
  });

  it('suggests a public receiver of webhooks on a server with a public address', () => {
    const credentials = { ...facts.credentials, base_url: 'https://pay.example.com' };
    expect(renderBanner({ ...facts, credentials })).not.toContain('http://localhost:3000');
  });
});
