import type { FrameConfig } from '@florin/contract/protocol/frame.ts';
import type { BankApi } from './bank-api.ts';
import { createBankFrame } from './bank-frame.ts';

const BIN_DIGITS = 6;

/** Lets the card's bank fingerprint the browser while the cardholder types the rest of the card. */
export interface Fingerprint {
  /** Starts a fingerprint when the digits identify the bank; once per bank. */
  prepare(number: string): void;
  /** Waits for this card's fingerprint and returns its signed reference for the verification. */
  take(number: string): Promise<string | undefined>;
}

interface FingerprintResult {
  readonly bin: string;
  readonly handle: Promise<string | undefined>;
}

export function createFingerprint(
  api: BankApi,
  { fingerprint_limit_ms }: NonNullable<FrameConfig['threeds']>,
): Fingerprint {
  let current: FingerprintResult | undefined;

  async function begin(bin: string): Promise<string | undefined> {
    const { authentication, page_url } = (await api.fingerprint(bin)) ?? {};
    if (page_url) await visit(page_url, fingerprint_limit_ms);
    return authentication;
  }

  return {
    prepare(number) {
      const bin = number.slice(0, BIN_DIGITS);
      if (bin.length < BIN_DIGITS || bin === current?.bin) return;
      current = { bin, handle: begin(bin) };
    },
    async take(number) {
      const fingerprint = number.startsWith(current?.bin ?? '-') ? current : undefined;
      // Each fingerprint is valid for one verification.
      current = undefined;
      return fingerprint?.handle;
    },
  };
}

/** Loads the bank's page invisibly until the page has finished or its time limit has passed. */
function visit(page_url: string, limit_ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      frame.remove();
      resolve();
    };
    const timer = setTimeout(end, limit_ms);
    const frame = createBankFrame('', (where) => {
      if (where === 'back') end();
    });
    frame.hidden = true;
    frame.src = page_url;
    document.body.append(frame);
  });
}
