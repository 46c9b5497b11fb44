import { spawnSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildTypes } from './sdk-types.ts';

const ROOT = join(import.meta.dirname, '../..');
const SDK = join(ROOT, 'packages', 'browser-sdk');
const TYPES_MAX_BYTES = 20_000;

const HEAD = `import { Florin, type FlorinEvent, type FlorinOptions } from '@florin/browser-sdk';
const options: FlorinOptions = { formFactor: 'embedded', locale: 'de', appearance: { radius: '8px' } };
const florin = new Florin('ept_sandbox_b1', options);
`;

/** Compiler errors of a shop's program that depends only on the SDK's package. */
function compilerErrorsOf(program: string): string {
  const shop = mkdtempSync(join(tmpdir(), 'florin-shop-'));
  onTestFinished(() => rmSync(shop, { recursive: true }));
  const sdk = join(shop, 'node_modules', '@florin', 'browser-sdk');
  mkdirSync(sdk, { recursive: true });
  cpSync(join(SDK, 'package.json'), join(sdk, 'package.json'));
  cpSync(join(SDK, 'dist', 'types'), join(sdk, 'dist', 'types'), { recursive: true });
  writeFileSync(join(shop, 'package.json'), '{"type":"module"}');
  writeFileSync(join(shop, 'shop.ts'), HEAD + program);
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022'];
  const moduleArgs = ['--module', 'esnext', '--moduleResolution', 'bundler', '--types', ''];
  const compilerArgs = [
    compiler,
    ...args,
    ...moduleArgs,
    '--lib',
    'es2022,dom',
    '--ignoreConfig',
    'shop.ts',
  ];
  return spawnSync(process.execPath, compilerArgs, { cwd: shop }).stdout.toString();
}

describe('the types of the SDK', () => {
  beforeAll(() => buildTypes(ROOT));

  it('accept what the SDK does', () => {
    const program = `
const frame: HTMLIFrameElement = florin.mountPaymentForm('form', 'id');
const off: () => void = florin.on('payment_method_changed', ({ type, detail }) => {
  const name: 'payment_method_changed' = type;
  const ready: boolean | undefined = detail.ready;
  console.log(name, ready, frame);
});
const verified: FlorinEvent = await florin.verifyPaymentMethod(30_000);
const token: string | undefined = verified.detail.card_pan_token;
await florin.listenToPayment('id');
off();
florin.destroy();
console.log(token);
`;
    expect(compilerErrorsOf(program)).toBe('');
  });

  it('refuse what it does not do, line by line', () => {
    const wrongLines = [
      `florin.on('payment_aproved', () => {});`,
      `florin.mountPaymentForm(document.body, 'id');`,
      `florin.verifyPaymentMethod('30s');`,
      `new Florin('key', { formFactor: 'popup' });`,
      `new Florin('key', { appearance: { font: 'x' } });`,
      `florin.on('payment_failed', ({ detail }) => detail.pan);`,
    ];
    const compilerErrors = compilerErrorsOf(wrongLines.join('\n'));
    const lines = [...compilerErrors.matchAll(/shop\.ts\((\d+),/g)].map((match) =>
      Number(match[1]),
    );
    const firstLine = HEAD.split('\n').length;
    expect(new Set(lines)).toEqual(new Set(wrongLines.map((_, at) => firstLine + at)));
  });

  it('are small, and refer only to files that are shipped', () => {
    const files = globSync('dist/types/*.d.ts', { cwd: SDK });
    const text = files.map((file) => readFileSync(join(SDK, file), 'utf8')).join('\n');
    expect(text).not.toContain('@florin/');
    const bytes = files.reduce((sum, file) => sum + statSync(join(SDK, file)).size, 0);
    console.log(`types of the SDK: ${bytes} bytes`);
    expect(bytes).toBeLessThan(TYPES_MAX_BYTES);
  });
});
