import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type RequestOptions, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pay } from '@florin/cli/commands/pay.ts';
import { describe, expect, it } from 'vitest';
import { callPay } from '../packages/server/tests/support/form.ts';
import { openCheckout, reopenCheckout } from './support/checkout-page.ts';
import {
  amounts,
  challengeNumber,
  enterCode,
  LONG_TIMEOUT_MS,
  SHORT_TIMEOUT,
  useSharedBank,
} from './support/use-bank.ts';

const setup = useSharedBank();
/** Time limit of a foreign page, and the time after which the SDK gives up a silent form. */
const FOREIGN_MS = 500;
const SILENT_MS = 10_000;

/** Violations that browsers reported, as `/metrics` counts them. */
async function listViolations(): Promise<readonly string[]> {
  const metrics = await (await fetch(`${setup.shop.stack.baseUrl}/metrics`)).text();
  return metrics.match(/^florin_policy_violations_total\{.*$/gm) ?? [];
}

/** Number of violations of a directive. */
async function countViolations(directive: string): Promise<number> {
  const line = (await listViolations()).find((line) => line.includes(`"${directive}"`));
  return Number(line?.split(' ').at(-1) ?? 0);
}

describe('the collector of violations', { timeout: LONG_TIMEOUT_MS }, () => {
  it('#18 stays empty while a card is entered and challenged, and receives foreign violations', async () => {
    const violationsBefore = await listViolations();
    await using visit = await setup.pay(amounts.code, challengeNumber, { ownTab: true });
    await enterCode(visit.bank, '123456');
    expect((await visit.verification).ok).toBe(true);
    expect(await listViolations()).toEqual(violationsBefore);
    const foreignCount = await countViolations('style-src-elem');
    const form = visit.page.frames().find((frame) => frame.url().includes('/pay/'))!;
    await form.evaluate(() => {
      const style = document.createElement('style');
      style.textContent = 'body { color: red }';
      document.body.append(style);
    });
    await expect
      .poll(() => countViolations('style-src-elem'), SHORT_TIMEOUT)
      .toBe(foreignCount + 1);
  });

  it.each([
    ['an unknown directive', JSON.stringify({ 'csp-report': { 'effective-directive': 'x"} 9' } })],
    ['no JSON', '{"csp-report"'],
  ])('#18 counts %s without its words', async (_what, body) => {
    const headers = { 'content-type': 'application/csp-report' };
    const violationsBefore = await listViolations();
    const path = '/frame/v1/csp-report';
    expect((await call(path, { method: 'POST', headers, body })).status).toBe(204);
    const violationsAfter = await listViolations();
    expect(violationsAfter.filter((line) => line.includes('directive="unknown"'))).toHaveLength(1);
    expect(violationsAfter.length - violationsBefore.length).toBeLessThanOrEqual(1);
  });

  it('#18 refuses large reports, and more than a browser sends', async () => {
    const send = (body: string) =>
      call('/frame/v1/csp-report', {
        method: 'POST',
        headers: { 'content-type': 'application/csp-report' },
        body,
      });
    expect((await send('x'.repeat(10_000))).status).toBe(413);
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async () => (await send('{}')).status),
    );
    expect(statuses).toContain(429);
  });
});

describe('the check of a pay origin', { timeout: LONG_TIMEOUT_MS }, () => {
  const runCheck = async (...args: string[]) => {
    const output: string[] = [];
    const code = await pay(['check', ...args], (line) => output.push(line));
    return { code, output };
  };

  it('#19 accepts the form, its scripts and their headers', async () => {
    const { payUrl } = setup.shop.stack;
    const payment = await setup.shop.makePayment(amounts.code);
    const formUrl = `${payUrl}/pay/${payment}?key=${setup.shop.publishable_key}`;
    expect(await runCheck(payUrl)).toEqual({ code: 0, output: ['5 checks passed.'] });
    expect(await runCheck(formUrl)).toEqual({ code: 0, output: ['6 checks passed.'] });
    const liveKey = setup.shop.stack.credentials.live.publishable_key;
    const noticeUrl = `${payUrl}/pay/${payment}?key=${liveKey}`;
    expect(await runCheck(noticeUrl)).toEqual({ code: 0, output: ['6 checks passed.'] });
  });

  it('#19 reports scripts that differ from the stored ones', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'florin-sri-'));
    try {
      const { payUrl } = setup.shop.stack;
      const pins = JSON.parse((await call('/v1/sri.json')).body) as Record<string, object>;
      const file = join(folder, 'sri.json');
      await writeFile(file, JSON.stringify(pins));
      expect((await runCheck(payUrl, '--sri', file)).code).toBe(0);
      const alteredPins = {
        ...pins,
        'florin.js': { ...pins['florin.js'], integrity: 'sha384-AAAA' },
      };
      await writeFile(file, JSON.stringify(alteredPins));
      expect(await runCheck(payUrl, '--sri', file)).toEqual({
        code: 1,
        output: ['the stored list of scripts: florin.js is another one'],
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

/** Creates a publishable key whose form only pages of these origins may mount. */
async function createKey(origins: readonly string[]): Promise<string> {
  const { baseUrl, credentials } = setup.shop.stack;
  const attributes = { name: 'Shop', context: 'browser', origins };
  const response = await fetch(`${baseUrl}/v2/merchant_tokens`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${credentials.sandbox.secret_key}`,
      'user-agent': 'e2e/1',
      'content-type': 'application/vnd.api+json',
    },
    body: JSON.stringify({ data: { type: 'merchant_tokens', attributes } }),
  });
  const { data } = (await response.json()) as { data: { attributes: { token: string } } };
  return data.attributes.token;
}

describe('a publishable key', { timeout: LONG_TIMEOUT_MS }, () => {
  it('#5 with registered origins mounts its form there only, and answers no page that frames it', async () => {
    const key = await createKey([setup.shop.shopUrl]);
    const payment_id = await setup.shop.makePayment(amounts.code);
    const evilUrl = setup.shop.shopUrl.replace('shop.', 'evil.');
    await using shopVisit = await setup.open(payment_id, { key });
    await shopVisit.tab.form.locator('#number').waitFor();
    const context = await setup.browser.newContext();
    const thiefTab = await openCheckout(context, { shopUrl: evilUrl }, { key, payment_id });
    await expect
      .poll(() => thiefTab.consoleErrors.join(), SHORT_TIMEOUT)
      .toContain('frame-ancestors');
    expect(await thiefTab.form.locator('input').count()).toBe(0);

    await context.route('**/pay/**', async (route) => {
      const { pathname, search } = new URL(route.request().url());
      const { text } = await callPay(setup.shop.stack, `${pathname}${search}`);
      // Drops the Content-Security-Policy, which keeps other browsers from showing the form at all.
      await route.fulfill({ body: text, contentType: 'text/html' });
    });
    await reopenCheckout(thiefTab, { key, payment_id });
    await thiefTab.form.locator('#number').waitFor();
    await thiefTab.page.clock.install();
    const verification = thiefTab.verify(FOREIGN_MS);
    // A form that answered would do so before its next field is filled.
    await thiefTab.form.locator('#number').fill('4');
    await thiefTab.page.clock.runFor(SILENT_MS);
    expect(await verification).toMatchObject({ ok: false, type: 'payment_timeout' });
    expect(await thiefTab.eventNames()).not.toContain('payment_method_error');
    await context.close();
  });

  it('#5 without registered origins mounts on every page of the sandbox', async () => {
    const key = await createKey([]);
    const payment = await setup.shop.makePayment(amounts.code);
    const shopUrl = setup.shop.shopUrl.replace('shop.', 'other.');
    await using visit = await setup.open(payment, { key, shopUrl });
    await visit.tab.form.locator('#number').waitFor();
    expect(await visit.tab.form.locator('input').count()).toBe(3);
  });
});

/** A request to the form's origin, which Node reaches by its port alone. */
function call(path: string, { body, ...init }: RequestOptions & { body?: string } = {}) {
  const { host, port } = new URL(setup.shop.stack.payUrl);
  const headers = { ...init.headers, host };
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const clientRequest = request(
      { ...init, headers, path, port, host: '127.0.0.1' },
      async (response) => resolve({ status: response.statusCode ?? 0, body: await text(response) }),
    );
    clientRequest.on('error', reject);
    clientRequest.end(body);
  });
}
