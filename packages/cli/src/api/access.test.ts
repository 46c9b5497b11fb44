import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readAccessSettings } from '../config/env.ts';
import { accessOf } from './access.ts';

const STORED = { base_url: 'http://localhost:4001', sandbox: { secret_key: 'ept_sandbox_skept' } };

/** Settings of a data directory with or without stored credentials. */
function createSettings(env: Record<string, string>, stored: object | undefined) {
  const dataDir = mkdtempSync(join(tmpdir(), 'florin-access-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  if (stored) writeFileSync(join(dataDir, 'credentials.json'), JSON.stringify(stored));
  return readAccessSettings('/florin', { ...env, FLORIN_DATA: dataDir });
}

const ENV = {
  FLORIN_SECRET_KEY: 'ept_live_senv',
  FLORIN_PUBLIC_URL: 'https://pay.example.com/florin',
};
const GIVEN = { key: 'ept_sandbox_sgiven', host: 'http://127.0.0.1:5000' };

describe('the Florin that a command talks to', () => {
  it.each([
    ['what it is told', GIVEN, ENV, STORED, 'ept_sandbox_sgiven', 'http://127.0.0.1:5000'],
    ['else the environment', {}, ENV, STORED, 'ept_live_senv', 'https://pay.example.com'],
    [
      'else that of the data directory',
      {},
      {},
      STORED,
      'ept_sandbox_skept',
      'http://localhost:4001',
    ],
    [
      'else the usual address',
      { key: GIVEN.key },
      {},
      undefined,
      GIVEN.key,
      'http://localhost:4000',
    ],
  ])('is %s', (_, givenAccess, env, stored, key, base_url) => {
    expect(accessOf(givenAccess, createSettings(env, stored))).toEqual({ key, base_url });
  });

  it.each([
    ['without a key', {}, 'No secret key found'],
    ['with a publishable one', { key: 'ept_sandbox_b1' }, 'This is not a secret key'],
    ['at no address', { ...GIVEN, host: 'localhost:4000' }, '--host must be an address'],
  ])('is not found %s', (_, givenAccess, sentence) => {
    expect(() => accessOf(givenAccess, createSettings({}, undefined))).toThrow(sentence);
  });
});
