import type { LookupAddress } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { AddressRefusedError, createCheckedLookup, urlRefusal } from './guard.ts';

describe('a live webhook may not go to', () => {
  it.each([
    'http://example.com/hook',
    'ftp://example.com/hook',
    'https://user:word@example.com/hook',
    'https://localhost/',
    'https://localhost./',
    'https://shop.localhost/',
    'https://127.0.0.1/',
    'https://127.0.0.1./',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://１２７.0.0.1/',
    'https://0.0.0.0/',
    'https://10.1.2.3/',
    'https://172.16.0.1/',
    'https://192.168.1.1:8443/',
    'https://169.254.169.254/latest/meta-data/',
    'https://100.64.0.1/',
    'https://192.0.0.8/',
    'https://198.18.0.1/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://[::]/',
    'https://[::1]/',
    'https://[::127.0.0.1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[4000::1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[::ffff:0:127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001::1]/',
    'https://[fe80::1]/',
    'https://[fec0::1]/',
    'https://[fd00:ec2::254]/',
    'https://[ff02::1]/',
    'https://[2001:db8::1]/',
    'https://168.63.129.16/machine',
    'https://[::ffff:168.63.129.16]/',
    'https://100.100.100.200/latest/meta-data/',
    'https://metadata.google.internal/computeMetadata/v1/',
    'https://metadata.google.internal./',
    'https://printer.local/',
    'https://db.internal:8443/',
    'https://LOCALHOST/',
    'https://①②⑦.0.0.1/',
    'https://0x7f.0x0.0x0.0x1/',
    'https://127.0.0.1%2f@example.com/',
    'https://example.com:25/',
    'https://example.com:22/',
    'https://example.com:80/',
    'https://8.8.8.8:445/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'https:/',
    'https://[::ffff:7f00:1]/',
    'https://[0:0:0:0:0:ffff:10.0.0.1]/',
    'https://[2001:10::1]/',
    'https://[100::1]/',
    'not an address',
  ])('%s', (url) => {
    expect(urlRefusal(url, 'live')).toBeTypeOf('string');
  });
});

it.each([
  'https://example.com/hook?a=b',
  'https://example.com:8443/',
  'https://8.8.8.8/',
  'https://[2606:4700::1111]/',
  'https://localhost.example.com/',
])('a live webhook may go to %s', (url) => {
  expect(urlRefusal(url, 'live')).toBeUndefined();
});

it.each(['http://127.0.0.1:3000/hook', 'http://localhost/', 'https://10.0.0.1/', 'http://[::1]/'])(
  'a sandbox webhook may go to %s',
  (url) => {
    expect(urlRefusal(url, 'sandbox')).toBeUndefined();
  },
);

it.each([
  'ftp://example.com/',
  'javascript:alert(1)',
  'http://user@localhost/',
  'example.com',
  'http://169.254.169.254/latest',
  'http://[fe80::1]/',
  'http://[::ffff:169.254.169.254]/',
  'http://2852039166/',
  'http://168.63.129.16/',
  'http://[fd00:ec2::254]/',
])('a sandbox webhook may not go to %s', (url) => {
  expect(urlRefusal(url, 'sandbox')).toBeTypeOf('string');
});

describe('the lookup of a live delivery', () => {
  const v4 = (address: string): LookupAddress => ({ address, family: 4 });
  const v6 = (address: string): LookupAddress => ({ address, family: 6 });
  const lookupWith = (addresses: LookupAddress[]) =>
    createCheckedLookup('live', (_name, _options, callback) => callback(null, addresses));
  const lookUp = (addresses: LookupAddress[], isAll: boolean) =>
    new Promise<unknown>((resolve, reject) => {
      lookupWith(addresses)('example.com', { all: isAll }, (error, address) =>
        error ? reject(error) : resolve(address),
      );
    });

  it('returns all addresses of a public name, or the first', async () => {
    const addresses = [v6('2606:4700::1111'), v4('8.8.8.8')];
    expect(await lookUp(addresses, true)).toEqual(addresses);
    expect(await lookUp(addresses, false)).toBe('2606:4700::1111');
  });

  it.each([
    ['is private', [v4('10.0.0.1')]],
    ['is private beside a public one', [v4('8.8.8.8'), v4('127.0.0.1')]],
    ['is IPv4 in IPv6', [v6('::ffff:192.168.0.1')]],
    ['is not there', []],
  ])('refuses a name with an address that %s', async (_, addresses) => {
    await expect(lookUp(addresses, true)).rejects.toThrow(AddressRefusedError);
  });

  it("of the sandbox refuses addresses of a cloud's own machines, and allows this machine", async () => {
    const errorNameOf = (address: string) =>
      new Promise<string>((resolve) =>
        createCheckedLookup('sandbox', (_name, _options, callback) =>
          callback(null, [v4(address)]),
        )('example.com', { all: true }, (error) => resolve(error?.name ?? 'given')),
      );
    expect(await errorNameOf('169.254.169.254')).toBe('AddressRefusedError');
    expect(await errorNameOf('168.63.129.16')).toBe('AddressRefusedError');
    expect(await errorNameOf('127.0.0.1')).toBe('given');
  });

  it('passes on the error of a name that does not resolve', async () => {
    const failure = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    const lookup = createCheckedLookup('live', (_name, _options, callback) =>
      callback(failure, []),
    );
    const error = await new Promise((resolve) => lookup('example.com', { all: true }, resolve));
    expect(error).toBe(failure);
  });
});
