import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../tests/support.ts';
import { loadSecretFiles, readHealthSettings, readStartSettings } from './env.ts';

const read = (env: Record<string, string>) => readStartSettings('/florin', env);

describe('the environment of florin start', () => {
  it.each([
    [{}, '/florin/.florin'],
    [{ FLORIN_DATA: '/srv/florin' }, '/srv/florin'],
    [{ FLORIN_DATA: '' }, '/florin/.florin'],
  ])('%j keeps its data in %s', (env, dataDir) => {
    expect(read(env).dataDir).toBe(dataDir);
  });

  it.each(['eighty', '-1', '65536', '4000.5'])('refuses PORT=%s by name', (PORT) => {
    expect(() => read({ PORT })).toThrow(
      `PORT must be a whole number from 0 to 65535; it is "${PORT}".`,
    );
  });

  it('takes the origin of a shared card network, and refuses anything else by name', () => {
    const readSimulatorUrl = (text: string) => read({ FLORIN_SIMULATOR_URL: text }).simulatorUrl;
    expect(readSimulatorUrl('http://10.0.0.5:4100')).toBe('http://10.0.0.5:4100');
    expect(readSimulatorUrl('http://10.0.0.5:4100/')).toBe('http://10.0.0.5:4100');
    for (const text of ['10.0.0.5:4100', 'ftp://10.0.0.5', 'http://10.0.0.5/v1'])
      expect(() => readSimulatorUrl(text)).toThrow(
        /^FLORIN_SIMULATOR_URL must be an origin such as/,
      );
  });

  it('gives each process only its own variables', () => {
    const { inherited } = read({
      PATH: '/bin',
      SECRET_OF_SHELL: 'x',
      FLORIN_LOG_LEVEL: 'warn',
      VAULT_LOG_LEVEL: 'debug',
      NODE_OPTIONS: '--inspect',
      SIMULATOR_PORT: '9',
    });
    expect(inherited.vault).toEqual({ PATH: '/bin', VAULT_LOG_LEVEL: 'debug' });
    expect(inherited.simulator).toEqual({
      PATH: '/bin',
      NODE_OPTIONS: '--inspect',
      SIMULATOR_PORT: '9',
    });
    expect(inherited.server).not.toHaveProperty('VAULT_LOG_LEVEL');
    expect(inherited.server).toHaveProperty('FLORIN_LOG_LEVEL', 'warn');
  });

  it('warns of variables that Florin does not read, and names the nearest', () => {
    expect(read({ FLORIN_PUBLIC_URI: 'x', VAULT_KMS: 'file', OTHER: 'y' }).warnings).toEqual([
      'Warning: Florin does not read the variable FLORIN_PUBLIC_URI. Did you mean FLORIN_PUBLIC_URL?',
    ]);
  });
});

describe('a secret in a file', () => {
  const load = (env: NodeJS.ProcessEnv) => {
    loadSecretFiles(env);
    return env;
  };

  it('becomes its variable, without the end of line', () => {
    const path = join(temporaryDirectory(), 'database-url');
    writeFileSync(path, 'postgres://localhost/florin\n');
    expect(load({ DATABASE_URL_FILE: path, PORT: '1' })).toEqual({
      DATABASE_URL: 'postgres://localhost/florin',
      PORT: '1',
    });
  });

  it('is refused beside its variable, and if the file is empty or missing', () => {
    const path = join(temporaryDirectory(), 'secret');
    expect(() => load({ DATABASE_URL_FILE: path, DATABASE_URL: 'x' })).toThrow(
      'DATABASE_URL and DATABASE_URL_FILE are set. Remove one of them.',
    );
    writeFileSync(path, '\n');
    expect(() => load({ FLORIN_SECRETS_KEY_FILE: path })).toThrow(
      `FLORIN_SECRETS_KEY_FILE names ${path}, which is empty.`,
    );
    expect(() => load({ DATABASE_URL_FILE: `${path}-none` })).toThrow(
      `DATABASE_URL_FILE names ${path}-none, which cannot be read (ENOENT).`,
    );
  });

  it('is read for secrets only: another variable with this ending is unknown', () => {
    expect(load({ FLORIN_PAY_URL_FILE: '/x' })).toEqual({ FLORIN_PAY_URL_FILE: '/x' });
    expect(read({ FLORIN_PAY_URL_FILE: '/x' }).warnings).toHaveLength(1);
  });
});

describe('the address that florin health asks', () => {
  it.each([
    [{}, 'http://127.0.0.1:4000', 'http://127.0.0.1:4010'],
    [{ FLORIN_HOST: '0.0.0.0', PORT: '80' }, 'http://127.0.0.1:80', 'http://127.0.0.1:4010'],
    [{ FLORIN_PRIVATE_LISTEN: '[::]:4011' }, 'http://127.0.0.1:4000', 'http://127.0.0.1:4011'],
    [{ FLORIN_PRIVATE_LISTEN: '[fd00::6]:9' }, 'http://127.0.0.1:4000', 'http://[fd00::6]:9'],
    [{ FLORIN_PRIVATE_LISTEN: '10.0.0.6:9' }, 'http://127.0.0.1:4000', 'http://10.0.0.6:9'],
  ])('with %j is %s of a server, %s of a worker', (env, server, worker) => {
    expect(readHealthSettings(env)).toMatchObject({ server, worker });
  });

  it('refuses an address of a worker that is none, by name', () => {
    expect(() => readHealthSettings({ FLORIN_PRIVATE_LISTEN: '4010' })).toThrow(
      /^FLORIN_PRIVATE_LISTEN must/,
    );
  });
});

it('logs to files, or to standard output on request', () => {
  expect(read({}).logsToStdout).toBe(false);
  expect(read({ FLORIN_LOG_OUTPUT: 'stdout' }).logsToStdout).toBe(true);
  expect(() => read({ FLORIN_LOG_OUTPUT: 'syslog' })).toThrow(
    'FLORIN_LOG_OUTPUT must be one of files, stdout; it is "syslog".',
  );
});
