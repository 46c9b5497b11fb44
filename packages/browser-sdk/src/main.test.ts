import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Florin } from './main.ts';

const KEY = 'ept_sandbox_bsQsnYGFoLvE2Qt7tmsvuDESB';
const host = 'https://pay.example.com';

describe('Florin without a browser', () => {
  it.each(['main.ts', 'classic.ts'])('#13 %s is imported by bare Node', async (entry) => {
    const url = new URL(entry, import.meta.url).href;
    const code = `const m = await import(${JSON.stringify(url)}); process.stdout.write(typeof (m.Florin ?? globalThis.Florin))`;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', code]);
    expect(stdout).toBe('function');
  });

  it('is constructed on a server that renders the page', () => {
    expect(() => new Florin(KEY, { host })).not.toThrow();
  });

  it('names the option that is missing or wrong', () => {
    expect(() => new Florin(KEY)).toThrow(/"host"/);
    const formFactor = 'popup' as 'inputs';
    expect(() => new Florin(KEY, { host, formFactor })).toThrow(/"formFactor"/);
  });

  it('rejects calls that need a form before one is mounted', async () => {
    const florin = new Florin(KEY, { host });
    const rejection = { type: 'payment_method_error', detail: { code: 'not_mounted' } };
    await expect(florin.verifyPaymentMethod()).rejects.toMatchObject(rejection);
    await expect(florin.listenToPayment()).rejects.toMatchObject(rejection);
  });

  it('refuses to mount a value that is not a payment id', () => {
    expect(() => new Florin(KEY, { host }).mountPaymentForm('form', '../x')).toThrow(/payment id/);
  });
});
