import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { secretFileOf, secretVariables } from '@florin/contract/secret-variables.ts';
import { variables } from '@florin/contract/variables.ts';
import { DCLinter } from 'dclint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../program.ts';

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly user?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly (string | { readonly source: string })[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[] | Readonly<Record<string, object>>;
  readonly network_mode?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly [option: string]: unknown;
}

const FOLDER = join(ROOT, 'deploy/compose');
const text = readFileSync(join(FOLDER, 'compose.yaml'), 'utf8');
const compose = parse(text, { merge: true }) as {
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
};
const dockerfile = readFileSync(join(ROOT, 'deploy/image/Dockerfile'), 'utf8');

/** Services that run the image of Florin. */
const ours = Object.entries(compose.services).filter(([, { image }]) =>
  image.includes('FLORIN_IMAGE'),
);
const networksOf = ({ networks = [] }: Service): string[] =>
  Array.isArray(networks) ? networks : Object.keys(networks);

describe('compose.yaml', () => {
  it('follows the specification of Compose', () => {
    const linter = new DCLinter({ rules: {}, quiet: true, debug: false, exclude: [] });
    const findings = linter.lintFiles([join(FOLDER, 'compose.yaml')], false);
    const errors = findings
      .flatMap(({ messages }) => messages)
      .filter(({ type }) => type === 'error')
      .map(({ rule, message }) => `${rule}: ${message}`);
    // The proxy is open to every network on purpose.
    expect(errors.filter((error) => !error.startsWith('no-unbound-port-interfaces'))).toEqual([]);
  });

  it('has a proxy that passes on no trace of clients', () => {
    const caddyfile = readFileSync(join(FOLDER, 'Caddyfile'), 'utf8');
    expect(caddyfile).toMatch(/header_up -traceparent\s+header_up -tracestate/);
  });

  it.each(ours)('%s sets variables that Florin reads', (_, { environment = {} }) => {
    const known = [...Object.keys(variables), ...secretVariables.map(secretFileOf)];
    expect(known).toEqual(expect.arrayContaining(Object.keys(environment)));
  });

  it.each(ours)('%s is read-only, without capabilities, and not root', (_, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      ulimits: { core: 0, nofile: 65_536 },
      user: expect.stringMatching(/^1000\d:/),
    });
  });

  it('gives secrets to one user each, as files', () => {
    const used = Object.values(compose.services).flatMap(({ secrets = [], user = '' }) =>
      secrets.map((secret) => `${typeof secret === 'string' ? secret : secret.source} ${user}`),
    );
    const names = [...new Set(used)].map((use) => use.split(' ')[0]);
    expect(names.toSorted()).toEqual(Object.keys(compose.secrets).toSorted());
    const script = readFileSync(join(FOLDER, 'make-secrets.sh'), 'utf8');
    for (const { file } of Object.values(compose.secrets))
      expect(script).toContain(file.replace('./secrets/', ''));
    for (const [, { environment = {} }] of ours)
      for (const name of secretVariables.filter((it) => it !== 'FLORIN_SMTP_URL'))
        expect(environment).not.toHaveProperty(name);
  });

  it('lets nobody but the vault into its network, its keys, and the place of its socket', () => {
    const namesWith = (has: (service: Service) => boolean) =>
      Object.entries(compose.services)
        .filter(([, service]) => has(service))
        .map(([name]) => name);
    expect(namesWith((service) => networksOf(service).includes('processors'))).toEqual(['vault']);
    const mounts = (start: string) => (service: Service) =>
      (service.volumes ?? []).some((volume) => volume.startsWith(start) && !volume.endsWith(':ro'));
    expect(namesWith(mounts('vault-data:'))).toEqual(['vault']);
    expect(namesWith(mounts('vault-socket:'))).toEqual(['vault']);
    expect(compose.services.postgres?.network_mode).toBe('none');
  });

  it('runs users and commands that the image has', () => {
    for (const [, { user = '' }] of ours) expect(dockerfile).toContain(user);
    for (const [name, { command = [], healthcheck }] of ours.filter(([it]) => it !== 'migrate')) {
      expect(command[0]).toBe('serve');
      expect(healthcheck?.test, name).toEqual(['CMD', 'florin', 'health', command[1]]);
    }
  });
});
