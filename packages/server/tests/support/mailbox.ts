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
export async function lettersTo(
  browser: Browser,
  email: string,
  kind: string,
  count = 1,
): Promise<readonly StoredEmail[]> {
  return vi.waitFor(
    async () => {
      const { body } = await browser.get('/dashboard/api/mailbox');
      const found = (body.data as readonly StoredEmail[]).filter(
        (letter) => letter.to_email === email && letter.kind === kind,
      );
      expect(found.length).toBeGreaterThanOrEqual(count);
      return found;
    },
    { timeout: 15_000 },
  );
}

/** Token of the link in the newest email of a kind to an address. */
export async function tokenTo(
  browser: Browser,
  email: string,
  kind: string,
  count = 1,
): Promise<string> {
  const [letter] = await lettersTo(browser, email, kind, count);
  return tokenIn(letter);
}

/** Token of the link in an email. */
export function tokenIn(letter: StoredEmail | undefined): string {
  const token = /\/dashboard\/link#([\w-]{43})/.exec(letter?.text ?? '')?.[1];
  if (!token) throw new Error(`the letter ${letter?.subject} has no link`);
  return token;
}
