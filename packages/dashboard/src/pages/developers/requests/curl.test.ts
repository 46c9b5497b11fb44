import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type CurlParts, curlOf } from './curl.ts';

const request: CurlParts = {
  base_url: 'http://localhost:4000',
  method: 'POST',
  path: '/v2/customers',
  query: 'include=merchant&filter[name]=a b',
  body: { data: { type: 'customers', attributes: { name: `O'Hara "$(touch x)"` } } },
  has_idempotency_key: false,
};

/** Splits a command into words like a shell, without running it. */
const wordsOf = (command: string): string[] =>
  execFileSync('sh', ['-c', `printf '%s\\0' ${command}`], {
    encoding: 'utf8',
    env: { FLORIN_SECRET_KEY: 'secret' },
  })
    .split('\0')
    .slice(0, -1);

describe('a request as a command', () => {
  it('has its address, its key and its body unchanged', () => {
    const words = wordsOf(curlOf(request));
    expect(words).toContain(
      'http://localhost:4000/v2/customers?include=merchant&filter%5Bname%5D=a%20b',
    );
    expect(words).toContain('Authorization: Bearer secret');
    expect(JSON.parse(words.at(-1) as string)).toEqual(request.body);
  });

  it('omits the body if there was none, and uses a new idempotency key if there was one', () => {
    const command = curlOf({ ...request, query: null, body: null, has_idempotency_key: true });
    expect(command).toContain('Idempotency-Key: $(uuidgen)');
    expect(command).not.toContain('--data-raw');
  });
});
