import { describe, expect, it } from 'vitest';
import { tryLimits } from '../../src/features/checkout/try-limits.ts';
import { useOwnStack } from '../support/api.ts';
import { mountForm } from '../support/form.ts';
import { makeCardless } from '../support/make.ts';
import { rawRequest } from '../support/raw-request.ts';
import { simulatedLive } from '../support/simulated-live.ts';

const api = useOwnStack({
  config: { trusted_proxies: ['127.0.0.1'] },
  processors: simulatedLive(),
});

/** Live forms, each for a separate payment, so that only the address is limited. */
function forms() {
  let session = '';
  let left = 0;
  return async (): Promise<string> => {
    if (left === 0) {
      const { id } = await makeCardless(api.live);
      const key = api.stack.credentials.live.publishable_key;
      session = (await mountForm(api.stack, id, key)).session;
      left = tryLimits.form.max;
    }
    left -= 1;
    return session;
  };
}

let sent = 0;
const tryFrom = (ip: string, session: string) =>
  rawRequest(api.stack.payUrl, {
    method: 'POST',
    path: '/frame/v1/verify',
    headers: {
      host: new URL(api.stack.payUrl).host,
      'content-type': 'application/json',
      'x-forwarded-for': ip,
    },
    body: JSON.stringify({ session, pan_jwe: `card ${++sent}`, cvv_jwe: 'code', timezone: 'UTC' }),
  });

describe('cards tried from one address', () => {
  it('are limited by the address that a trusted proxy names, and the answer has the time to wait', async () => {
    let next = forms();
    expect((await tryFrom('198.51.100.1', await next())).status).toBe(200);
    // As if the address had tried more cards. This exhausts the form too, so a new form follows.
    await api.books.db.query('update card_tries set tries = $1', [tryLimits.address_hour.max - 1]);
    next = forms();
    const session = await next();
    expect((await tryFrom('198.51.100.1', session)).status).toBe(200);
    const refused = await tryFrom('198.51.100.1', session);
    expect(refused.status).toBe(429);
    expect(JSON.parse(refused.text).detail.code).toBe('too_many_tries');
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait > 3_500 && wait <= 3_600).toBe(true);
    expect((await tryFrom('198.51.100.2', await next())).status).toBe(200);

    // A form's own limit gives the same response.
    const one = await next();
    const texts = new Set([refused.text]);
    for (let tries = 0; tries < tryLimits.form.max + 2; tries++) {
      const answer = await tryFrom('198.51.100.3', one);
      if (answer.status === 429) texts.add(answer.text);
    }
    expect(texts.size).toBe(1);
  });
});
