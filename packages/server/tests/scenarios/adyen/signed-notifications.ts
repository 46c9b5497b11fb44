import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type AdyenStack, HMAC_KEY, MERCHANT_ACCOUNT } from '../../support/adyen.ts';

/** Signatures and logins of notifications. */
export function describeSignedNotifications(florin: AdyenStack): void {
  describe('a signed notification', () => {
    const values = ['PSP1', '', MERCHANT_ACCOUNT, '', 0, 'EUR', 'REPORT_AVAILABLE', 'true'];
    const hmac = createHmac('sha256', Buffer.from(HMAC_KEY, 'hex')).update(values.join(':'));
    const body = JSON.stringify({
      live: 'false',
      notificationItems: [
        {
          NotificationRequestItem: {
            pspReference: 'PSP1',
            merchantAccountCode: MERCHANT_ACCOUNT,
            amount: { value: 0, currency: 'EUR' },
            eventCode: 'REPORT_AVAILABLE',
            success: 'true',
            additionalData: { hmacSignature: hmac.digest('base64') },
          },
        },
      ],
    });
    const notify = async (account: string, login?: string) => {
      const authorization = `Basic ${Buffer.from(login ?? '').toString('base64')}`;
      const response = await fetch(`${florin.stack.baseUrl}/notifications/${account}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(login && { authorization }) },
        body,
      });
      return [response.status, response.status === 200 ? await response.text() : ''];
    };

    it('needs the login that the account has', async () => {
      expect(await notify(florin.account)).toEqual([401, '']);
      expect(await notify(florin.account, 'florin:password')).toEqual([401, '']);
      expect(await notify(florin.account, 'florin:pass:word')).toEqual([200, '[accepted]']);
    });

    it.each([
      ['needs no login if the account has none', 'NoLogin', { hmac_key: HMAC_KEY }, 200],
      ['is refused if the account has no key', 'NoKey', { webhook_login: 'florin:pass:word' }, 401],
    ])('%s', async (name, merchant_account, secrets, status) => {
      const { body: created } = await florin.operator.send('POST', '/processor_accounts', {
        processor: 'adyen',
        mode: 'sandbox',
        name,
        settings: { api_url: florin.api_url, merchant_account },
        secrets: { api_key: 'AQEexamplekeyofthetests1234567890', ...secrets },
      });
      expect((await notify(created.data.id, 'florin:pass:word'))[0]).toBe(status);
      if (status === 200) expect((await notify(created.data.id))[0]).toBe(status);
    });
  });
}
