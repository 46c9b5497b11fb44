import { afterEach, describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { rawRequest } from '../support/raw-request.ts';

const api = useOwnStack({ config: { trusted_proxies: ['127.0.0.1'] } });
const PATH = '/frame/v1/csp-report';

/** Reports from separate addresses, so that they do not share a count. */
let asked = 0;
const report = (type: string, body: string, ip = `198.51.100.${++asked}`) =>
  rawRequest(api.stack.payUrl, {
    method: 'POST',
    path: PATH,
    headers: {
      host: new URL(api.stack.payUrl).host,
      'content-type': type,
      'x-forwarded-for': ip,
    },
    body,
  });

async function counted(): Promise<string[]> {
  const metrics = await (await fetch(`${api.stack.baseUrl}/metrics`)).text();
  return metrics.match(/^florin_policy_violations_total.*$/gm) ?? [];
}

const EVIL = 'evil-label-1\nsecond';
const CSP = 'application/csp-report';
const named = (name: unknown) => JSON.stringify({ 'csp-report': { 'effective-directive': name } });

describe('a report of a violated policy', () => {
  afterEach(async () => {
    expect((await counted()).join('\n')).not.toMatch(/evil|second/);
  });

  it.each([
    ['a text', 'text/plain', EVIL, 415],
    ['a text in JSON', 'application/json', JSON.stringify(EVIL), 415],
    ['a report in JSON', 'application/json', named('img-src'), 415],
    ['a form', 'application/x-www-form-urlencoded', EVIL, 415],
    ['a directive that is none of ours', CSP, named(EVIL), 204],
    ['a directive that is a list', CSP, named([EVIL]), 204],
    ['a text instead of a report', CSP, JSON.stringify(EVIL), 204],
    ['no JSON', CSP, EVIL, 204],
  ])('that is %s (%s) puts no words of its own anywhere', async (_what, type, body, status) => {
    expect((await report(type, body)).status).toBe(status);
  });

  it('is counted by its directive', async () => {
    expect((await report(CSP, named('img-src'))).status).toBe(204);
    expect(await counted()).toContain('florin_policy_violations_total{directive="img-src"} 1');
  });

  it('is limited per IPv6 network', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async (_, host) => {
        const { status } = await report(CSP, '{}', `2001:db8:4:1::${host.toString(16)}`);
        return status;
      }),
    );
    expect(statuses.filter((status) => status === 204).length).toBeLessThan(40);
    expect((await report(CSP, '{}', '2001:db8:4:2::1')).status).toBe(204);
  });
});
