import { expect, vi } from 'vitest';
import type { Browser } from './browser.ts';

export interface StoredEmail {
  readonly kind: string;
  readonly to_email: string;
  readonly locale: string;
  readonly subject: string;
  readonly text: string;
}

/** Waits for emails of a kind to an address. Returns them newest first. */
export async function waitForEmails(
  browser: Browser,
  address: string,
  kind: string,
  count = 1,
): Promise<readonly StoredEmail[]> {
  return vi.waitFor(
    async () => {
      const { body } = await browser.get('/dashboard/api/mailbox');
      const emails = (body.data as readonly StoredEmail[]).filter(
        (email) => email.to_email === address && email.kind === kind,
      );
      expect(emails.length).toBeGreaterThanOrEqual(count);
      return emails;
    },
    { timeout: 15_000 },
  );
}

/** Waits for emails of a kind to an address. Returns the token of the link in the newest one. */
export async function waitForLinkToken(
  browser: Browser,
  address: string,
  kind: string,
  count = 1,
): Promise<string> {
  const [email] = await waitForEmails(browser, address, kind, count);
  return linkTokenOf(email);
}

/** Token of the link in an email. */
export function linkTokenOf(email: StoredEmail | undefined): string {
  const token = /\/dashboard\/link#([\w-]{43})/.exec(email?.text ?? '')?.[1];
  if (!token) throw new Error(`the email ${email?.subject} has no link`);
  return token;
}
