import { describe, expect, it } from 'vitest';
import { readStartSettings } from './env.ts';

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
