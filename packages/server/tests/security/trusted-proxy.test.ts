import { afterEach, describe, expect, it } from 'vitest';
import { tryLimits } from '../../src/features/checkout/try-limits.ts';
import { useOwnStack } from '../support/api.ts';
import { mountForm } from '../support/form.ts';
import { makeCardlessPayment } from '../support/make.ts';
import { rawRequest } from '../support/raw-request.ts';
import { simulateLive } from '../support/simulated-live.ts';

const api = useOwnStack({
  config: { trusted_proxies: ['127.0.0.1'] },
  processors: simulateLive(),
});

/** Returns a function that opens live forms of a key of their own, so that only the address is limited. */
function createFormOpener() {
  let key = '';
  let session = '';
  let remainingTries = 0;
  return async (): Promise<string> => {
    if (remainingTries === 0) {
      const { id } = await makeCardlessPayment(api.live);
      const merchant = await api.fixtures.getDemoMerchant();
      key ||= await merchant.makeKey({ mode: 'live', context: 'browser' });
      session = (await mountForm(api.stack, id, key)).session;
      remainingTries = tryLimits.form.max;
    }
    remainingTries -= 1;
    return session;
  };
}

let cardCount = 0;
const tryCard = (ip: string, session: string) =>
  rawRequest(api.stack.payUrl, {
    method: 'POST',
    path: '/frame/v1/verify',
    headers: {
      host: new URL(api.stack.payUrl).host,
      'content-type': 'application/json',
      'x-forwarded-for': ip,
    },
    body: JSON.stringify({
      session,
      pan_jwe: `card ${++cardCount}`,
      cvv_jwe: 'code',
      timezone: 'UTC',
    }),
  });

describe('cards tried from one address', () => {
  it('are limited by the address that a trusted proxy names, and the answer has the time to wait', async () => {
    let nextSession = createFormOpener();
    expect((await tryCard('198.51.100.1', await nextSession())).status).toBe(200);
    // As if the address had tried more cards. This exhausts the form too, so a new form follows.
    await api.fixtures.db.query('update card_tries set tries = $1', [
      tryLimits.address_hour.max - 1,
    ]);
    nextSession = createFormOpener();
    const session = await nextSession();
    expect((await tryCard('198.51.100.1', session)).status).toBe(200);
    const refusal = await tryCard('198.51.100.1', session);
    expect(refusal.status).toBe(429);
    expect(JSON.parse(refusal.text).detail.code).toBe('too_many_tries');
    const wait = Number(refusal.headers.get('retry-after'));
    expect(wait > 3_500 && wait <= 3_600).toBe(true);
    expect((await tryCard('198.51.100.2', await nextSession())).status).toBe(200);

    // A form's own limit gives the same response.
    const lastSession = await nextSession();
    const texts = new Set([refusal.text]);
    for (let count = 0; count < tryLimits.form.max + 2; count++) {
      const answer = await tryCard('198.51.100.3', lastSession);
      if (answer.status === 429) texts.add(answer.text);
    }
    expect(texts.size).toBe(1);
  });
});

const PATH = '/frame/v1/csp-report';

/** Reports from separate addresses, so that they do not share a count. */
let requestCount = 0;
const sendReport = (type: string, body: string, ip = `198.51.100.${++requestCount}`) =>
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

async function readReportCounts(): Promise<string[]> {
  const metrics = await (await fetch(`${api.stack.baseUrl}/metrics`)).text();
  return metrics.match(/^florin_policy_violations_total.*$/gm) ?? [];
}

const EVIL_TEXT = 'evil-label-1\nsecond';
const CSP_TYPE = 'application/csp-report';
const reportOf = (name: unknown) =>
  JSON.stringify({ 'csp-report': { 'effective-directive': name } });

describe('a report of a violated policy', () => {
  afterEach(async () => {
    expect((await readReportCounts()).join('\n')).not.toMatch(/evil|second/);
  });

  it.each([
    ['a text', 'text/plain', EVIL_TEXT, 415],
    ['a text in JSON', 'application/json', JSON.stringify(EVIL_TEXT), 415],
    ['a report in JSON', 'application/json', reportOf('img-src'), 415],
    ['a form', 'application/x-www-form-urlencoded', EVIL_TEXT, 415],
    ['an unknown directive', CSP_TYPE, reportOf(EVIL_TEXT), 204],
    ['a directive that is a list', CSP_TYPE, reportOf([EVIL_TEXT]), 204],
    ['a text instead of a report', CSP_TYPE, JSON.stringify(EVIL_TEXT), 204],
    ['no JSON', CSP_TYPE, EVIL_TEXT, 204],
  ])(
    'that is %s (%s) adds no text of its own to the metrics',
    async (_title, type, body, status) => {
      expect((await sendReport(type, body)).status).toBe(status);
    },
  );

  it('is counted by its directive', async () => {
    expect((await sendReport(CSP_TYPE, reportOf('img-src'))).status).toBe(204);
    expect(await readReportCounts()).toContain(
      'florin_policy_violations_total{directive="img-src"} 1',
    );
  });

  it('is limited per IPv6 network', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async (_, host) => {
        const { status } = await sendReport(CSP_TYPE, '{}', `2001:db8:4:1::${host.toString(16)}`);
        return status;
      }),
    );
    expect(statuses.filter((status) => status === 204).length).toBeLessThan(40);
    expect((await sendReport(CSP_TYPE, '{}', '2001:db8:4:2::1')).status).toBe(204);
  });
});
