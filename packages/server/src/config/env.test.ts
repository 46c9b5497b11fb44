import type { Environment } from '@florin/contract/variables.ts';
import { describe, expect, it } from 'vitest';
import {
  isRegistrationOpen,
  mailTransportOf,
  ownUrl,
  resultsOrigin,
  servesDemoShop,
} from './config.ts';
import { configFromEnv } from './env.ts';

const requiredVariables = {
  DATABASE_URL: 'postgres://localhost/florin',
  FLORIN_DATA: '/srv/florin',
  VAULT_SOCKET: '/run/vault.sock',
  SIMULATOR_URL: 'http://localhost:4001',
};
const readConfig = (env: Environment) => configFromEnv({ ...requiredVariables, ...env });

describe('the addresses', () => {
  it('default to this machine', () => {
    expect(readConfig({})).toMatchObject({
      public_url: 'http://localhost:4000',
      pay_url: 'http://pay.localhost:4000',
    });
  });

  it.each([
    ['the same', 'https://pay.example.com', 'https://pay.example.com/'],
    ['the same host at another port', 'http://shop.example:4000', 'http://shop.example:5000'],
  ])('of the form and the interface may not be %s', (_, FLORIN_PUBLIC_URL, FLORIN_PAY_URL) => {
    expect(() => readConfig({ FLORIN_PUBLIC_URL, FLORIN_PAY_URL })).toThrow(
      /^FLORIN_PAY_URL must have another host name than FLORIN_PUBLIC_URL\.$/,
    );
  });
});

describe('the address to listen on', () => {
  it.each([
    [undefined, '127.0.0.1', 'http://127.0.0.1:4000'],
    ['0.0.0.0', '0.0.0.0', 'http://127.0.0.1:4000'],
    ['::', '::', 'http://127.0.0.1:4000'],
    ['::1', '::1', 'http://[::1]:4000'],
    ['10.0.0.7', '10.0.0.7', 'http://10.0.0.7:4000'],
  ])('with FLORIN_HOST=%s is %s, reached at %s', (FLORIN_HOST, host, url) => {
    const config = readConfig({ FLORIN_HOST });
    expect(config.host).toBe(host);
    expect(ownUrl(config)).toBe(url);
  });

  it('is an IP address', () => {
    expect(() => readConfig({ FLORIN_HOST: 'db.internal' })).toThrow(/^FLORIN_HOST must be an IP/);
  });
});

describe('the role', () => {
  it.each([
    [undefined, 'all'],
    ['api', 'api'],
    ['worker', 'worker'],
  ])('with FLORIN_ROLE=%s is %s', (FLORIN_ROLE, role) => {
    expect(readConfig({ FLORIN_ROLE }).role).toBe(role);
  });

  it('is a known one', () => {
    expect(() => readConfig({ FLORIN_ROLE: 'vault' })).toThrow(/^FLORIN_ROLE must be one of all,/);
  });
});

describe('the private address of a worker', () => {
  it.each([
    [undefined, { host: '127.0.0.1', port: 4010 }],
    ['10.0.0.6:9000', { host: '10.0.0.6', port: 9000 }],
    ['[::1]:0', { host: '::1', port: 0 }],
  ])('with FLORIN_PRIVATE_LISTEN=%s is %j', (FLORIN_PRIVATE_LISTEN, address) => {
    expect(readConfig({ FLORIN_PRIVATE_LISTEN }).private_listen).toEqual(address);
  });

  it.each(['4010', 'localhost:4010', '10.0.0.6', '10.0.0.6:65536'])('is not %s', (text) => {
    expect(() => readConfig({ FLORIN_PRIVATE_LISTEN: text })).toThrow(
      /^FLORIN_PRIVATE_LISTEN must/,
    );
  });
});

describe('the pause of a stopping server', () => {
  const simulator = { SIMULATOR_URL: '' };
  it.each<[Environment, number]>([
    [{}, 0],
    [{ FLORIN_ENV: 'production', ...simulator }, 5_000],
    [{ FLORIN_ENV: 'production', FLORIN_DRAIN_SECONDS: '0', ...simulator }, 0],
    [{ FLORIN_DRAIN_SECONDS: '300' }, 300_000],
  ])('of %j is %i ms', (env, drain_ms) => {
    expect(readConfig(env).drain_ms).toBe(drain_ms);
  });

  it.each(['-1', '1.5', '301', 'long'])('is not %s', (FLORIN_DRAIN_SECONDS) => {
    expect(() => readConfig({ FLORIN_DRAIN_SECONDS })).toThrow(/^FLORIN_DRAIN_SECONDS must/);
  });
});

describe('the connections of a server', () => {
  it.each([
    [undefined, 12],
    ['40', 40],
  ])('with FLORIN_DATABASE_CONNECTIONS=%s are %i', (FLORIN_DATABASE_CONNECTIONS, count) => {
    expect(readConfig({ FLORIN_DATABASE_CONNECTIONS }).connections_max).toBe(count);
  });

  it.each(['3', '201', 'many'])('are not %s', (text) => {
    expect(() => readConfig({ FLORIN_DATABASE_CONNECTIONS: text })).toThrow(
      /^FLORIN_DATABASE_CONNECTIONS must/,
    );
  });
});

describe('the vaults', () => {
  const tls = {
    FLORIN_VAULT_CERT_FILE: '/c.pem',
    FLORIN_VAULT_KEY_FILE: '/k.pem',
    FLORIN_VAULT_CA_FILE: '/a.pem',
  };

  it('are the socket of this machine, or a list with certificates for those on other hosts', () => {
    expect(readConfig({}).vaults).toEqual({
      addresses: [{ kind: 'socket', path: '/run/vault.sock' }],
    });
    const FLORIN_VAULT_ADDRESSES =
      'https://vault-1.internal:4700, https://[fd00::7]:4700,unix:/v.sock';
    expect(readConfig({ VAULT_SOCKET: '', FLORIN_VAULT_ADDRESSES, ...tls }).vaults).toEqual({
      addresses: [
        { kind: 'tls', host: 'vault-1.internal', port: 4700 },
        { kind: 'tls', host: 'fd00::7', port: 4700 },
        { kind: 'socket', path: '/v.sock' },
      ],
      tls: {
        certificate: { variable: 'FLORIN_VAULT_CERT_FILE', path: '/c.pem' },
        key: { variable: 'FLORIN_VAULT_KEY_FILE', path: '/k.pem' },
        authority: { variable: 'FLORIN_VAULT_CA_FILE', path: '/a.pem' },
      },
    });
  });

  it.each<[Environment, string]>([
    [{ FLORIN_VAULT_ADDRESSES: 'https://v:1', ...tls }, 'Set only one of them'],
    [{ VAULT_SOCKET: '', FLORIN_VAULT_ADDRESSES: 'http://v:1', ...tls }, 'answers no plain TCP'],
    [{ VAULT_SOCKET: '', FLORIN_VAULT_ADDRESSES: 'tcp://v:1', ...tls }, 'answers no plain TCP'],
    [{ VAULT_SOCKET: '', FLORIN_VAULT_ADDRESSES: 'https://v:1/x', ...tls }, 'must list https'],
    [{ VAULT_SOCKET: '', FLORIN_VAULT_ADDRESSES: ',', ...tls }, 'must list https'],
    [
      { VAULT_SOCKET: '', FLORIN_VAULT_ADDRESSES: 'https://v:1', ...tls, FLORIN_VAULT_CA_FILE: '' },
      'FLORIN_VAULT_CA_FILE is not set.',
    ],
    [{ FLORIN_VAULT_KEY_FILE: '/k.pem' }, 'FLORIN_VAULT_KEY_FILE is set without an https address'],
  ])('are refused with %j', (env, sentence) => {
    expect(() => readConfig(env)).toThrow(sentence);
  });
});

describe('the log level', () => {
  it.each([
    [undefined, 'info'],
    ['', 'info'],
    ['trace', 'trace'],
  ])('with FLORIN_LOG_LEVEL=%s is %s', (FLORIN_LOG_LEVEL, level) => {
    expect(readConfig({ FLORIN_LOG_LEVEL }).log_level).toBe(level);
  });

  it('is refused by name', () => {
    expect(() => readConfig({ FLORIN_LOG_LEVEL: 'verbose' })).toThrow(
      'FLORIN_LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent.',
    );
  });
});

describe('production', () => {
  it('has no simulated card network, demo shop or test mailbox', () => {
    const { SIMULATOR_URL: _, ...others } = requiredVariables;
    const config = configFromEnv({ ...others, FLORIN_ENV: 'production', FLORIN_DEMO_SHOP: 'true' });
    expect(config.simulator_url).toBeUndefined();
    expect(servesDemoShop(config)).toBe(false);
    expect(mailTransportOf(config)).toBe('none');
  });

  it.each([
    [{}, ['docs', 'health', 'metrics']],
    [{ FLORIN_ENV: 'production' }, []],
    [{ FLORIN_ENV: 'production', FLORIN_PUBLIC_PATHS: 'docs' }, ['docs']],
    [{ FLORIN_PUBLIC_PATHS: 'metrics, health' }, ['health', 'metrics']],
    [{ FLORIN_PUBLIC_PATHS: 'none' }, []],
  ])('with %j shows the addresses %j through a proxy', (env, paths) => {
    expect(readConfig(env).public_paths).toEqual(paths);
  });

  it('refuses an unknown address', () => {
    expect(() => readConfig({ FLORIN_PUBLIC_PATHS: 'docs,admin' })).toThrow(
      /^FLORIN_PUBLIC_PATHS must be none, or names of docs, health, metrics/,
    );
  });

  it('is named exactly', () => {
    expect(() => readConfig({ FLORIN_ENV: 'prod' })).toThrow(
      'FLORIN_ENV must be one of development, production.',
    );
  });
});

describe('the demo shop', () => {
  it.each([
    [undefined, undefined, true],
    ['http://127.0.0.1:4000', undefined, true],
    ['https://api.example.com', undefined, false],
    ['https://localhost.example.com', undefined, false],
    ['https://api.example.com', 'true', true],
    ['http://localhost:4000', 'false', false],
  ])('at %s with FLORIN_DEMO_SHOP=%s: %s', (FLORIN_PUBLIC_URL, FLORIN_DEMO_SHOP, served) => {
    expect(servesDemoShop(readConfig({ FLORIN_PUBLIC_URL, FLORIN_DEMO_SHOP }))).toBe(served);
  });

  it('is switched with true and false only', () => {
    expect(() => readConfig({ FLORIN_DEMO_SHOP: 'maybe' })).toThrow(/^FLORIN_DEMO_SHOP must be/);
  });
});

describe('opening accounts', () => {
  it.each([
    [undefined, undefined, true],
    ['https://pay.example.com', undefined, false],
    ['https://pay.example.com', 'open', true],
    ['http://localhost:4000', 'closed', false],
  ])('at %s with FLORIN_REGISTRATION=%s is possible: %s', (url, FLORIN_REGISTRATION, possible) => {
    const env = { FLORIN_PUBLIC_URL: url, FLORIN_REGISTRATION };
    expect(isRegistrationOpen(readConfig(env))).toBe(possible);
  });

  it('is open or closed only', () => {
    expect(() => readConfig({ FLORIN_REGISTRATION: 'true' })).toThrow(
      /^FLORIN_REGISTRATION must be/,
    );
  });
});

describe('where webhooks of the sandbox go', () => {
  it.each([
    [undefined, undefined, 'private'],
    ['https://api.example.com', undefined, 'public'],
    ['https://api.example.com', 'private', 'private'],
    ['http://localhost:4000', 'public', 'public'],
  ])('at %s with FLORIN_SANDBOX_WEBHOOKS=%s: %s', (url, FLORIN_SANDBOX_WEBHOOKS, expected) => {
    const env = { FLORIN_PUBLIC_URL: url, FLORIN_SANDBOX_WEBHOOKS };
    expect(readConfig(env).sandbox_webhooks).toBe(expected);
  });

  it('is private or public only', () => {
    expect(() => readConfig({ FLORIN_SANDBOX_WEBHOOKS: 'true' })).toThrow(
      /^FLORIN_SANDBOX_WEBHOOKS must/,
    );
  });
});

describe('the orders of the demo shop', () => {
  it.each([
    [undefined, true],
    ['true', true],
    ['false', false],
  ])('with FLORIN_DEMO_ORDERS=%s exist: %s', (FLORIN_DEMO_ORDERS, there) => {
    expect(readConfig({ FLORIN_DEMO_ORDERS }).demo_orders).toBe(there);
  });
});

describe('the limit of requests a second', () => {
  it.each([
    [undefined, 5_000],
    ['', 5_000],
    ['50', 50],
    ['off', null],
  ])('with FLORIN_RATE_LIMIT=%j is %j', (FLORIN_RATE_LIMIT, limit) => {
    expect(readConfig({ FLORIN_RATE_LIMIT }).rate_limit).toBe(limit);
  });

  it.each(['0', '-1', '1.5', '1e9', 'none'])('is not %s', (FLORIN_RATE_LIMIT) => {
    expect(() => readConfig({ FLORIN_RATE_LIMIT })).toThrow(/^FLORIN_RATE_LIMIT must be off or/);
  });
});

describe('the retention of emails in days', () => {
  it.each([
    [undefined, 400],
    ['90', 90],
    ['3650', 3_650],
  ])('with FLORIN_EMAIL_RETENTION_DAYS=%j are %j', (FLORIN_EMAIL_RETENTION_DAYS, days) => {
    expect(readConfig({ FLORIN_EMAIL_RETENTION_DAYS }).email_retention_days).toBe(days);
  });

  it.each(['89', '3651', '100.5', 'ever'])('are not %s', (FLORIN_EMAIL_RETENTION_DAYS) => {
    expect(() => readConfig({ FLORIN_EMAIL_RETENTION_DAYS })).toThrow(
      /^FLORIN_EMAIL_RETENTION_DAYS must be a whole/,
    );
  });

  it('may have their old name, but not two values', () => {
    const names = (FLORIN_EMAIL_RETENTION_DAYS?: string) => ({
      FLORIN_LETTERS_DAYS: '100',
      ...(FLORIN_EMAIL_RETENTION_DAYS && { FLORIN_EMAIL_RETENTION_DAYS }),
    });
    expect(readConfig(names()).email_retention_days).toBe(100);
    expect(readConfig(names('100')).email_retention_days).toBe(100);
    expect(() => readConfig(names('200'))).toThrow('Remove FLORIN_LETTERS_DAYS');
  });
});

describe('the retention of events in days', () => {
  it.each([
    [undefined, 400],
    ['90', 90],
  ])('with FLORIN_EVENT_RETENTION_DAYS=%j are %j', (FLORIN_EVENT_RETENTION_DAYS, days) => {
    expect(readConfig({ FLORIN_EVENT_RETENTION_DAYS }).event_retention_days).toBe(days);
  });

  it('are not fewer than those of what was sent', () => {
    expect(() => readConfig({ FLORIN_EVENT_RETENTION_DAYS: '89' })).toThrow(
      /^FLORIN_EVENT_RETENTION_DAYS must be a whole number of days from 90/,
    );
  });
});

describe('trusted proxies', () => {
  it.each([
    [undefined, []],
    ['10.0.0.1', ['10.0.0.1']],
    ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
    ['2001:db8::/32', ['2001:db8::/32']],
  ])('with FLORIN_TRUSTED_PROXIES=%j are %j', (FLORIN_TRUSTED_PROXIES, proxies) => {
    expect(readConfig({ FLORIN_TRUSTED_PROXIES }).trusted_proxies).toEqual(proxies);
  });

  it.each(['true', 'proxy.example.com', '10.0.0.0/33', '10.0.0.1/8/8', '::1/129', '10.0.0.1 ::1'])(
    'are not %s',
    (FLORIN_TRUSTED_PROXIES) => {
      expect(() => readConfig({ FLORIN_TRUSTED_PROXIES })).toThrow(
        /^FLORIN_TRUSTED_PROXIES must be/,
      );
    },
  );
});

describe('the mail server', () => {
  const FLORIN_MAIL_FROM = 'receipts@example.com';

  it.each([
    ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, secure: false }],
    ['smtps://mail.example.com', { host: 'mail.example.com', port: 465, secure: true }],
    ['smtp://[::1]:1025/', { host: '::1', port: 1025, secure: false }],
    [
      'smtps://a%40b:p%3Aq@mail.example.com:2465',
      {
        host: 'mail.example.com',
        port: 2465,
        secure: true,
        auth: { user: 'a@b', pass: 'p:q' },
      },
    ],
  ])('with FLORIN_SMTP_URL=%s is %o', (FLORIN_SMTP_URL, server) => {
    const { smtp } = readConfig({ FLORIN_SMTP_URL, FLORIN_MAIL_FROM });
    expect(smtp).toEqual({ ...server, from: FLORIN_MAIL_FROM });
  });

  it('defaults to none', () => {
    expect(readConfig({})).not.toHaveProperty('smtp');
  });

  it.each([
    ['smtp://mail.example.com', undefined, /^FLORIN_SMTP_URL and FLORIN_MAIL_FROM must be set/],
    [undefined, FLORIN_MAIL_FROM, /^FLORIN_SMTP_URL and FLORIN_MAIL_FROM must be set/],
    ['https://mail.example.com', FLORIN_MAIL_FROM, /^FLORIN_SMTP_URL must be an smtp/],
    ['smtp://mail.example.com?pool=true', FLORIN_MAIL_FROM, /^FLORIN_SMTP_URL must be an smtp/],
    ['smtp://user@mail.example.com', FLORIN_MAIL_FROM, /^FLORIN_SMTP_URL must be an smtp/],
    ['smtp://u:%zz@mail.example.com', FLORIN_MAIL_FROM, /^FLORIN_SMTP_URL must be an smtp/],
    ['mail.example.com', FLORIN_MAIL_FROM, /^FLORIN_SMTP_URL must be an smtp/],
    ['smtp://mail.example.com', 'Roses <receipts@example.com>', /^FLORIN_MAIL_FROM must be an/],
    ['smtp://mail.example.com', 'receipts', /^FLORIN_MAIL_FROM must be an email address/],
  ])('cannot be %s with %s', (FLORIN_SMTP_URL, from, refusal) => {
    expect(() => readConfig({ FLORIN_SMTP_URL, FLORIN_MAIL_FROM: from })).toThrow(refusal);
  });
});

describe('the keys of webhook secrets', () => {
  const [firstKey, secondKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 255)];

  it.each([
    [undefined, undefined],
    [firstKey.toString('base64'), [firstKey]],
    [secondKey.toString('base64url'), [secondKey]],
    [`${firstKey.toString('base64')}, ${secondKey.toString('base64')}`, [firstKey, secondKey]],
  ])(
    'are those of FLORIN_SECRETS_KEY, the first of which seals (%#)',
    (FLORIN_SECRETS_KEY, keys) => {
      expect(readConfig({ FLORIN_SECRETS_KEY }).secrets_keys).toEqual(keys);
    },
  );

  it.each(['key', Buffer.alloc(31).toString('base64'), Buffer.alloc(33).toString('base64'), ','])(
    'are not %s, which is not repeated',
    (FLORIN_SECRETS_KEY) => {
      expect(() => readConfig({ FLORIN_SECRETS_KEY })).toThrow(
        /^FLORIN_SECRETS_KEY must be base64 keys of 32 bytes, separated by commas\./,
      );
    },
  );
});

it.each([
  ['http://127.0.0.1:4100', 'http://127.0.0.1:4000'],
  ['http://10.0.0.5:4100', 'https://api.example.com'],
])('the card network at %s sends results to %s', (SIMULATOR_URL, origin) => {
  const config = readConfig({ SIMULATOR_URL, FLORIN_PUBLIC_URL: 'https://api.example.com' });
  expect(resultsOrigin(config)).toBe(origin);
});
