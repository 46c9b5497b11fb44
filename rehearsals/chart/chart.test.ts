import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Facts, type LoginFacts, partOf, type Role } from '@florin/cli/production/gap.ts';
import { gapsOf } from '@florin/cli/production/gaps.ts';
import { secretFileOf, secretVariables } from '@florin/contract/secret-variables.ts';
import { type Environment, variables } from '@florin/contract/variables.ts';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../../scripts/program.ts';
import {
  CASES,
  type Case,
  CHART,
  headOf,
  type Manifest,
  parseManifests,
  renderedPath,
  valuesPath,
} from './files.ts';

interface Container {
  readonly name: string;
  readonly image: string;
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly [field: string]: unknown;
}
interface Pod {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly volumes: readonly { readonly secret?: { readonly secretName: string } }[];
  readonly [field: string]: unknown;
}
// biome-ignore lint/suspicious/noExplicitAny: manifests have many types
type Spec = Readonly<Record<string, any>>;

const textOf = (name: Case): string => readFileSync(renderedPath(name), 'utf8');
const parsed = new Map(CASES.map((name) => [name, parseManifests(textOf(name))]));
const manifestsOf = (name: Case): readonly Manifest[] => parsed.get(name) ?? [];
const specsOf = (name: Case, kind: string): Record<string, Spec> =>
  Object.fromEntries(
    manifestsOf(name)
      .filter((manifest) => manifest.kind === kind)
      .map(({ metadata, spec }) => [metadata.name.replace('florin-', ''), spec as Spec]),
  );
/** Pods by component. */
const podsOf = (name: Case): Record<string, Pod> =>
  Object.fromEntries(
    ['Deployment', 'StatefulSet', 'Job'].flatMap((kind) =>
      Object.entries(specsOf(name, kind)).map(([component, spec]) => [
        component,
        spec.template.spec as Pod,
      ]),
    ),
  );
const pods = CASES.flatMap((name) =>
  Object.entries(podsOf(name)).map(([component, pod]) => ({ name, component, pod })),
);
const USERS: Readonly<Record<string, number>> = {
  api: 10_001,
  worker: 10_001,
  router: 10_001,
  vault: 10_002,
  migrate: 10_003,
};
const dockerfile = readFileSync(join(ROOT, 'deploy/image/Dockerfile'), 'utf8');

describe('the chart', () => {
  it.each(CASES)('was rendered since its last change, with the values %s', (name) => {
    expect(textOf(name).startsWith(headOf(name))).toBe(true);
  });

  describe('has a schema of its values', () => {
    const isValid = new Ajv().compile(
      JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8')),
    );
    const valuesIn = (path: string) => parse(readFileSync(path, 'utf8'));
    const defaults = join(CHART, 'values.yaml');

    it.each([defaults, ...CASES.map(valuesPath)])('that allows %s', (path) => {
      expect([isValid(valuesIn(path)), isValid.errors]).toEqual([true, null]);
    });

    it('that knows every value', () => {
      const { global, ...known } = (isValid.schema as Spec).properties;
      expect(global).toBeDefined();
      expect(Object.keys(known)).toEqual(Object.keys(valuesIn(defaults)));
    });

    it.each([
      ['a misspelt value', { api: { replica: 3 } }],
      ['an address with a path', { publicUrl: 'https://florin.example.com/pay' }],
      ['an address without TLS', { payUrl: 'http://pay.example.com' }],
      ['a network without its length', { networkPolicies: { databaseCidrs: ['10.0.7.0'] } }],
      ['a cell without a name', { router: { cells: ['http://florin-api'] } }],
      [
        'a secret that is no file',
        { secrets: { extra: { vault: { VAULT_PIN: { secret: 'a' } } } } },
      ],
    ])('that refuses %s', (_name, values) => {
      expect(isValid(values)).toBe(false);
    });
  });

  it('runs the version of this checkout', () => {
    const facts = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8')) as Record<string, string>;
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<
      string,
      string
    >;
    expect([facts.version, facts.appVersion]).toEqual([version, version]);
  });

  it.each(pods)('sets variables that Florin reads, in $component of $name', ({ pod }) => {
    const known = [...Object.keys(variables), ...secretVariables.map(secretFileOf), 'POD_IP'];
    const names = pod.containers.flatMap(({ env = [] }) => env.map((it) => it.name));
    expect(known).toEqual(expect.arrayContaining(names));
    // Secrets are files only.
    expect(names.filter((it) => (secretVariables as string[]).includes(it))).toEqual([]);
  });

  it.each(pods)(
    'runs $component of $name as its own user, without rights and files of others',
    (given) => {
      const { pod, component } = given;
      expect(pod).toMatchObject({
        serviceAccountName: `florin-${component}`,
        automountServiceAccountToken: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: USERS[component],
          fsGroupChangePolicy: 'OnRootMismatch',
          seccompProfile: { type: 'RuntimeDefault' },
        },
      });
      expect(dockerfile).toContain(`${USERS[component]}:`);
      for (const container of [...pod.containers, ...(pod.initContainers ?? [])])
        expect(container).toMatchObject({
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
          resources: {
            requests: { cpu: expect.anything(), memory: expect.anything() },
            limits: { memory: expect.anything() },
          },
        });
    },
  );

  it('gives each secret to one part only', () => {
    const secretsOf = (component: string) =>
      (podsOf('full')[component]?.volumes ?? []).flatMap(({ secret }) => secret?.secretName ?? []);
    expect(secretsOf('migrate')).toEqual(['florin-owner', 'florin-database-ca']);
    expect(secretsOf('vault')).toEqual([
      ...['florin-vault-tls', 'florin-vault', 'florin-database-ca', 'florin-apple-pay'],
      'florin-root-keys',
    ]);
    expect(secretsOf('worker')).toEqual(secretsOf('api'));
    expect(secretsOf('router')).toEqual(['florin-router', 'florin-database-ca', 'florin-tracing']);
    expect(secretsOf('api')).toEqual([
      ...['florin-server-tls', 'florin-server', 'florin-secrets-key', 'florin-smtp'],
      ...['florin-database-ca', 'florin-tracing'],
    ]);
  });

  it('mounts further secrets where their variables point, and the authority of the database', () => {
    const further = { api: 'OTEL_EXPORTER_OTLP_HEADERS_FILE', vault: 'VAULT_APPLE_PAY_KEY_FILE' };
    for (const [component, name] of Object.entries(further)) {
      const [container] = podsOf('full')[component]?.containers ?? [];
      const { value = '' } = container?.env?.find((it) => it.name === name) ?? {};
      const paths = ((container?.volumeMounts ?? []) as Spec[]).map(({ mountPath }) => mountPath);
      expect(paths).toEqual(expect.arrayContaining([dirname(value), '/secrets/database-ca']));
    }
  });

  it('lets a start wait as long as the migrations may take', () => {
    const { activeDeadlineSeconds } = specsOf('default', 'Job').migrate ?? {};
    for (const component of ['api', 'worker', 'vault']) {
      const { startupProbe } = (podsOf('default')[component]?.containers[0] ?? {}) as Spec;
      const waits_s = startupProbe.periodSeconds * startupProbe.failureThreshold;
      expect(waits_s).toBeGreaterThanOrEqual(activeDeadlineSeconds);
    }
  });

  it('asks each part whether it lives and is ready, and lets one go at a time', () => {
    for (const component of ['api', 'worker', 'vault', 'router']) {
      const [container] = podsOf('full')[component]?.containers ?? [];
      expect(container).toMatchObject({
        startupProbe: expect.anything(),
        readinessProbe: expect.anything(),
        livenessProbe: expect.anything(),
      });
      expect(specsOf('full', 'PodDisruptionBudget')[component]?.maxUnavailable).toBe(1);
    }
  });

  it('migrates before the pods of a version start', () => {
    const [job] = manifestsOf('default').filter(({ kind }) => kind === 'Job');
    expect(job?.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' });
  });

  it('has a router only where it is enabled, which then takes the requests of all clients', () => {
    const named = manifestsOf('default').map(({ metadata }) => metadata.name);
    expect(named.filter((name) => name.includes('router'))).toEqual([]);
    const [ingress] = Object.values(specsOf('full', 'Ingress'));
    const backends = ingress?.rules.map(({ http }: Spec) => http.paths[0].backend.service.name);
    expect(backends).toEqual(['florin-router', 'florin-router']);
    const { api, router } = specsOf('full', 'NetworkPolicy');
    const [{ podSelector }] = api?.ingress[0].from ?? [];
    expect(podSelector.matchLabels).toMatchObject({ 'app.kubernetes.io/component': 'router' });
    const cells = router?.egress.flatMap(({ ports }: Spec) => ports.map(({ port }: Spec) => port));
    expect(cells).toEqual([53, 53, 5432, 4000, 4000]);
  });

  it('keeps the root keys in a volume that outlives the release', () => {
    expect(specsOf('default', 'StatefulSet').vault).toMatchObject({
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
      volumeClaimTemplates: [{ metadata: { name: 'keys' } }],
    });
  });
});

describe('its network policies', () => {
  const componentOf = (peer: Spec) =>
    peer.podSelector?.matchLabels?.['app.kubernetes.io/component'] as string | undefined;
  const blocksOf = (policy: Spec | undefined): Spec[] =>
    (policy?.egress ?? []).flatMap(({ to = [] }: Spec) =>
      to.flatMap(({ ipBlock = [] }: Spec) => ipBlock),
    );

  it.each(CASES)('let only api and worker reach the vault (%s)', (name) => {
    const { vault } = specsOf(name, 'NetworkPolicy');
    expect(vault?.ingress).toHaveLength(1);
    expect(vault?.ingress[0].from.map(componentOf)).toEqual(['api', 'worker']);
    expect(vault?.policyTypes).toEqual(['Ingress', 'Egress']);
  });

  it('let only the vault reach processors whose networks are known', () => {
    const policies = specsOf('full', 'NetworkPolicy');
    const [dns, cidr] = ['169.254.20.10/32', '203.0.113.0/24'];
    expect(blocksOf(policies.vault).map((block) => block.cidr)).toEqual([dns, '10.0.7.0/24', cidr]);
    for (const component of ['api', 'worker'])
      expect(blocksOf(policies[component]).at(-1)?.except).toContain(cidr);
    expect(blocksOf(policies.migrate).map((block) => block.cidr)).toEqual([dns, '10.0.7.0/24']);
  });
});

describe('every rule of its network policies', () => {
  const rules = CASES.flatMap((name) =>
    Object.entries(specsOf(name, 'NetworkPolicy')).flatMap(([component, { egress }]) =>
      (egress as Spec[]).map((rule) => ({ name, component, rule })),
    ),
  );
  const DNS = 53;

  it.each(rules)('names who $component of $name may reach', ({ rule, name }) => {
    expect(rule.to).not.toHaveLength(0);
    if (rule.ports[0].port === DNS && name === 'default')
      expect(rule.to).toEqual([
        {
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
          podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
        },
      ]);
  });
});

describe('the check of production', () => {
  const LOGIN: LoginFacts = {
    version: 180_004,
    is_superuser: false,
    has_attributes: false,
    member_of: [],
    owns: false,
    creates: false,
    settings: [],
    other_databases: [],
    unlimited: [],
    is_open: false,
    lacks_maintenance: false,
    reaches_vault: true,
    reads_server: true,
    has_secrets: false,
    lacks_migration: undefined,
  };
  const SECRETS: Readonly<Record<string, string>> = {
    DATABASE_URL: 'postgresql://florin_server:s@db.example.com/florin?sslmode=verify-full',
    VAULT_DATABASE_URL:
      'postgresql://florin_vault:s@db.example.com/florin_vault?sslmode=verify-full',
    FLORIN_SECRETS_KEY: 'AAAA',
    FLORIN_SMTP_URL: 'smtps://u:s@mail.example.com:465',
  };
  const image = Object.fromEntries(
    [...dockerfile.matchAll(/^(?:ENV)? {1,2}(\w+)=(\S+)/gm)].map(([, name, value]) => [
      name,
      value,
    ]),
  );

  it.each(
    CASES.flatMap((name) =>
      (['api', 'worker', 'vault', 'router'] as const)
        .filter((role) => podsOf(name)[role])
        .map((role) => ({ name, role })),
    ),
  )('finds no gap in $role of $name', ({ name, role }) => {
    expect(gapsOf(role, factsOf(name, role))).toEqual([]);
  });

  function factsOf(name: Case, role: Role): Facts {
    const [{ env = [] } = { env: [] }] = podsOf(name)[role]?.containers ?? [];
    const given = env.map((it) => [it.name, it.value?.replace('$(POD_IP)', '10.244.0.9')] as const);
    const read = given.flatMap(([variable]) => {
      const secret = variable.replace(/_FILE$/, '');
      return SECRETS[secret] ? [[secret, SECRETS[secret]] as const] : [];
    });
    const reached = partOf(role) === 'server' ? { reaches_vault: false } : { reads_server: false };
    return {
      env: { ...image, ...Object.fromEntries([...given, ...read]) } as Environment,
      uid: USERS[role],
      vault_uid: undefined,
      data_is_usable: true,
      has_secrets_file: false,
      key_faults: [],
      login: { ...LOGIN, ...reached },
    };
  }
});
