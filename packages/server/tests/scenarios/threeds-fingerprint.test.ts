import { describe, expect, it } from 'vitest';
import { browser, post, postingOf } from '../support/bank.ts';
import { callPay, mountForm, sealCard } from '../support/form.ts';
import { amounts, intent, useBank } from '../support/threeds.ts';

const bank = useBank();

describe('the bank’s fingerprint of the browser', () => {
  const look = async (amount: number): Promise<{ payment: string; page_url?: string }> => {
    const payment = await intent(bank.stand.client, amount);
    const { session } = await mountForm(bank.stand.place, payment, bank.stand.publishable);
    const body = { session, bin: '400551' };
    const { text } = await callPay(bank.stand.place, '/frame/v1/fingerprint', body);
    return { payment, ...(JSON.parse(text) as { page_url?: string }) };
  };

  it('ends when the bank’s page has returned the browser', async () => {
    const { payment, page_url = '' } = await look(2499);
    const launch = postingOf((await callPay(bank.stand.place, page_url)).text);
    const answer = postingOf((await post(launch.url, launch)).text);
    expect(new URL(launch.url).hostname).toBe('acs.localhost');
    expect((await post(launch.url, answer)).status).toBe(200);
    expect((await bank.authenticationsOf(payment))[0]?.status).toBe('fingerprinted');
  });

  it('is not started if the bank does not take part', async () => {
    const { payment, page_url } = await look(amounts.not_enrolled);
    expect(page_url).toBeUndefined();
    expect(await bank.authenticationsOf(payment)).toEqual([]);
  });

  it('belongs to the authentication of the card that follows', async () => {
    const payment = await intent(bank.stand.client, 2499);
    const form = await mountForm(bank.stand.place, payment, bank.stand.publishable);
    const { text } = await callPay(bank.stand.place, '/frame/v1/fingerprint', {
      session: form.session,
      bin: '400551',
    });
    const { authentication } = JSON.parse(text) as Record<string, string>;
    await callPay(bank.stand.place, '/frame/v1/verify', {
      ...(await sealCard(form)),
      browser,
      authentication,
    });
    expect((await bank.authenticationsOf(payment)).map(({ status }) => status)).toEqual([
      'authenticated',
    ]);
  });

  it.each(['40055', '4005519', 'abcdef'])(
    'is refused for an invalid card range (%s)',
    async (bin) => {
      const { session } = await mountForm(
        bank.stand.place,
        await intent(bank.stand.client, 2499),
        bank.stand.publishable,
      );
      const { status } = await callPay(bank.stand.place, '/frame/v1/fingerprint', { session, bin });
      expect(status).toBe(422);
    },
  );
});
