import { describe, expect, it } from 'vitest';
import { originOf } from './host.ts';

describe('originOf', () => {
  it.each([
    ['https://pay.example.com', undefined, 'https://pay.example.com'],
    ['https://pay.example.com/', 'https://cdn.example.com/a.js', 'https://pay.example.com'],
    [undefined, 'https://pay.example.com/v1/florin.js', 'https://pay.example.com'],
    ['http://localhost:4000', undefined, 'http://localhost:4000'],
    ['http://pay.localhost:4000', undefined, 'http://pay.localhost:4000'],
    ['http://127.1.2.3:80', undefined, 'http://127.1.2.3'],
  ])('host %s with a script from %s is %s', (host, script, origin) => {
    expect(originOf(host, script)).toBe(origin);
  });

  it.each(['http://pay.example.com', 'http://localhost.example.com', 'http://128.0.0.1'])(
    'refuses %s, which is not https',
    (host) => {
      expect(() => originOf(host, undefined)).toThrow(/"host" must look like https:/);
    },
  );

  it.each([undefined, '', 'pay.example.com', 'file:///srv/florin.mjs', 'javascript:alert(1)'])(
    'refuses %s, which is not the address of a form',
    (host) => {
      expect(() => originOf(host, undefined)).toThrow(/"host" must look like/);
    },
  );
});
