import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { paymentDemandMachine } from '@florin/contract/machines/payment-demand.ts';
import { isCurrentType, type Resource } from '@florin/contract/resources/define-resource.ts';
import { resources } from '@florin/contract/resources/index.ts';
import { describe, expect, it } from 'vitest';
import { type Feature, featureOrder } from '../src/features/order.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PACKAGES = join(ROOT, 'packages');

interface Source {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

const IMPORT = /(?:from|import)\s*\(?\s*'([^']+)'/g;

function sourcesBelow(folder: string): Source[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names
    .filter(
      (name) => /\.tsx?$/.test(name) && !name.includes('node_modules') && !name.includes('dist/'),
    )
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      const imports = [...text.matchAll(IMPORT)].map((match) => match[1] as string);
      return { path: relative(ROOT, join(folder, name)), text, imports };
    });
}

const all = sourcesBelow(PACKAGES);
const production = all.filter(({ path }) => !/\.test\.ts$|\/(?:tests|testing)\//.test(path));
const packageOf = (path: string): string => path.split('/')[1] as string;
const offenders = (sources: readonly Source[], wrong: (source: Source) => boolean): string[] =>
  sources.filter(wrong).map(({ path }) => path);

/** An arrow function that returns another one. */
const CURRIED =
  /^(?:export )?const (\w+) =\s*(?:<[^>\n]*>)?\((?:[^()]|\([^()]*\))*\)(?:: [\w<>[\]'| .,]+)? =>\s*(?:async )?\((?:[^()]|\([^()]*\))*\)(?:: [\w<>[\]'| .,]+)? =>/gm;
/** Files that decide: rows in, a decision out. */
const DECISION = /\/(?:decide[\w-]*|attach|charged|cycle|dunning|schedule|settlement)\.ts$/;
/** New records have random ids; conversions of times stand beside the system clock. */
const LEAVES = [
  'packages/server/src/platform/ids.ts',
  'packages/server/src/platform/time/clock.ts',
];
const EFFECT =
  /Date\.now|Math\.random|performance\.now|Temporal\.Now|systemClock|\bfetch\(|setTimeout|\.query\(|\bsql`/;
const PURE_PACKAGE = /^@florin\/contract\/|^temporal-polyfill$/;
/** `import type` is gone once the program runs. */
const TYPE_IMPORT = /^import type [^;]+;/gm;

/** Chains of imports that lead from a file to something impure. */
function impuritiesOf(
  path: string,
  sources: readonly Source[],
  seen = new Set<string>(),
): string[] {
  if (seen.has(path) || LEAVES.includes(path)) return [];
  seen.add(path);
  const text = sources.find((source) => source.path === path)?.text;
  if (text === undefined) return [`${path} was not found`];
  const imports = [...text.replace(TYPE_IMPORT, '').matchAll(IMPORT)].map(([, name = '']) => name);
  const own = EFFECT.test(text) ? [path] : [];
  const foreign = imports.filter((name) => !name.startsWith('.') && !PURE_PACKAGE.test(name));
  const nearby = imports.filter((name) => name.startsWith('.'));
  return [
    ...own,
    ...foreign.map((name) => `${path} > ${name}`),
    ...nearby
      .flatMap((name) => impuritiesOf(join(dirname(path), name), sources, seen))
      .map((chain) => `${path} > ${chain}`),
  ];
}

it('reads all source files', () => {
  expect(production.length).toBeGreaterThan(150);
  expect(new Set(production.map(({ path }) => packageOf(path))).size).toBeGreaterThanOrEqual(7);
});

describe('imports between packages', () => {
  it('lead to the contract only, except in code that starts other packages for tests', () => {
    const wrong = production
      .filter(({ path }) => packageOf(path) !== 'dev-env')
      .flatMap(({ path, imports }) =>
        imports
          .filter((name) => name.startsWith('@florin/') && !name.startsWith('@florin/contract/'))
          .map((name) => `${path} imports ${name}`),
      );
    expect(wrong).toEqual([]);
  });

  it('never reach into another package by a path', () => {
    const importsOutside = ({ path, imports }: Source): boolean =>
      imports.some(
        (name) =>
          name.startsWith('.') &&
          !join(path, '..', name).startsWith(`packages/${packageOf(path)}/`),
      );
    expect(offenders(production, importsOutside)).toEqual([]);
  });

  it('of sandbox card numbers occur only in the vault, the simulator and the pages that list them', () => {
    const importsSandboxCards = ({ path, imports }: Source): boolean =>
      imports.some((name) => name.includes('sandbox-cards')) &&
      !['vault', 'simulator', 'contract', 'dashboard'].includes(packageOf(path));
    expect(offenders(production, importsSandboxCards)).toEqual([]);
  });
});

describe('the contract', () => {
  it('uses no Node, no clock and no randomness', () => {
    const hasEffects = ({ imports, text }: Source): boolean =>
      imports.some((name) => !name.startsWith('.') && !name.startsWith('@florin/contract/')) ||
      /\b(?:Date\.now|Math\.random|process|Buffer)\b[.(]/.test(text);
    expect(
      offenders(
        production.filter(({ path }) => packageOf(path) === 'contract'),
        hasEffects,
      ),
    ).toEqual([]);
  });
});

describe('inside the server', () => {
  const server = production.filter(({ path }) => path.startsWith('packages/server/src/'));
  const roomOf = (path: string): string => path.split('/')[3] as string;
  /** Imports that each folder may have besides itself, the contract and packages. */
  const allowed: Readonly<Record<string, readonly string[]>> = {
    platform: [],
    config: ['platform'],
    jsonapi: ['platform'],
    processors: ['platform'],
    'services.ts': ['platform', 'config', 'jsonapi', 'processors'],
    http: ['platform', 'config', 'jsonapi', 'processors', 'services.ts'],
    features: ['platform', 'config', 'jsonapi', 'processors', 'services.ts', 'http'],
  };

  const edges = server.flatMap(({ path, imports }) =>
    imports
      .filter((name) => name.startsWith('.') && name.endsWith('.ts'))
      .map((name) => ({ path, target: join(path, '..', name) })),
  );
  const wrongEdges = (isWrong: (path: string, target: string) => boolean): string[] =>
    edges
      .filter(({ path, target }) => isWrong(path, target))
      .map(({ path, target }) => `${path} imports ${target}`);

  it('imports run one way between layers', () => {
    const wrong = wrongEdges((path, target) => {
      const [room, other] = [roomOf(path), roomOf(target)];
      return room !== other && room in allowed && !allowed[room]?.includes(other);
    });
    expect(wrong).toEqual([]);
  });

  it('features import only those before them', () => {
    const featureOf = (path: string): number =>
      roomOf(path) === 'features' ? featureOrder.indexOf(path.split('/')[4] as Feature) : -1;
    const folders = server.filter(({ path }) => /\/features\/[^/]+\//.test(path));
    expect(offenders(folders, ({ path }) => featureOf(path) < 0)).toEqual([]);
    const wrong = wrongEdges(
      (path, target) => featureOf(path) >= 0 && featureOf(target) > featureOf(path),
    );
    const root = wrongEdges(
      (path, target) => featureOf(path) >= 0 && /\/features\/[^/]+\.ts$/.test(target),
    );
    expect([...wrong, ...root]).toEqual([]);
  });

  it('only the store and the filters write SQL', () => {
    const speaksSql = ({ path, text }: Source): boolean =>
      !/\/(?:store|platform|sql|jsonapi\/filter-to-sql)\/|\/sql\.ts$/.test(path) &&
      /\b(?:select\s[\s\S]{1,200}?\sfrom\s[a-z_$]|insert into\s|delete from\s|update\s\S+\s(?:t\s)?set\s)/.test(
        withoutComments(text),
      );
    expect(offenders(server, speaksSql)).toEqual([]);
  });

  it('only the transition writes a status', () => {
    const writesStatus = ({ path, text }: Source): boolean =>
      !path.endsWith('/transition.ts') && /\bset\s+status\b|\bstatus\s*=\s*i\./.test(text);
    expect(offenders(server, writesStatus)).toEqual([]);
  });

  it('only the composition roots and the registry know an adapter', () => {
    const knowsProcessor = ({ path, imports }: Source): boolean =>
      !/server\/src\/(?:app\.ts|bin\/|processors\/)/.test(path) &&
      imports.some((name) => /processors\/(?:index\.ts|sandbox\/)/.test(name));
    expect(offenders(server, knowsProcessor)).toEqual([]);
  });

  it('features return functions only from what is named create', () => {
    const features = server.filter(({ path }) => roomOf(path) === 'features');
    const curried = features.flatMap(({ path, text }) =>
      [...text.matchAll(CURRIED)].map(([, name]) => `${path}: ${name}`),
    );
    expect(curried.filter((one) => !/: create[A-Z]/.test(one))).toEqual([]);
    expect(curried.length).toBeGreaterThan(0);
  });

  it('decisions are pure, and so is all that they import', () => {
    const decisions = server.filter(({ path }) => DECISION.test(path));
    expect(decisions.length).toBeGreaterThan(15);
    expect(decisions.flatMap(({ path }) => impuritiesOf(path, server))).toEqual([]);
  });
});

describe('inside the dashboard', () => {
  const rooms = ['i18n', 'api', 'parts', 'pages', 'app'];
  const dashboard = production.filter(({ path }) => path.startsWith('packages/dashboard/src/'));
  const roomOf = (path: string): number => rooms.indexOf(path.split('/')[3] as string);

  it('imports run one way: i18n, api, parts, pages, app', () => {
    const wrong = dashboard
      .filter(({ path }) => roomOf(path) >= 0)
      .flatMap(({ path, imports }) =>
        imports
          .filter((name) => name.startsWith('.'))
          .filter((name) => roomOf(join(path, '..', name)) > roomOf(path))
          .map((name) => `${path} imports ${name}`),
      );
    expect(wrong).toEqual([]);
  });

  it('text by others never becomes HTML or an unchecked link', () => {
    const isUnsafeMarkup = ({ path, text }: Source): boolean =>
      /dangerouslySetInnerHTML|\.innerHTML\b/.test(text) ||
      (/target="_blank"/.test(text) && !path.endsWith('/safe-link.tsx'));
    expect(offenders(dashboard, isUnsafeMarkup)).toEqual([]);
  });
});

describe('every package', () => {
  it('reads the environment in one file', () => {
    const readsEnvironment = ({ path, text }: Source): boolean =>
      !path.endsWith('/config/env.ts') && /\bprocess\.env\b/.test(withoutComments(text));
    expect(
      offenders(
        production.filter(({ path }) => packageOf(path) !== 'dev-env'),
        readsEnvironment,
      ),
    ).toEqual([]);
  });

  it('keeps its files under 400 lines', () => {
    const isGenerated = ({ text }: Source): boolean => text.startsWith('// Made by `npm run ');
    const isLong = (source: Source): boolean =>
      !isGenerated(source) && source.text.split('\n').length > 400;
    expect(offenders(production, isLong)).toEqual([]);
  });

  it('keeps its folders under 26 files', () => {
    const folders = Object.groupBy(
      all.filter(({ path }) => /^packages\/[^/]+\/src\//.test(path)),
      ({ path }) => dirname(path),
    );
    const full = Object.entries(folders).filter(([, files = []]) => files.length > 25);
    // One file per resource, and the vocabulary that all packages share.
    const flat = ['packages/contract/src', 'packages/contract/src/resources'];
    expect(full.map(([folder]) => folder).sort()).toEqual(flat);
  });

  it('exports each name from one file', () => {
    const shared = new Set(sharedNames);
    const declared = production.flatMap(({ path, text }) =>
      [...text.matchAll(EXPORT)].map((match) => ({ name: match[1] as string, path })),
    );
    expect(declared.length).toBeGreaterThan(2_000);
    const declarationsByName = Map.groupBy(
      declared,
      ({ name, path }) => `${packageOf(path)} ${name}`,
    );
    const twice = [...declarationsByName].filter(
      ([, all]) => new Set(all.map(({ path }) => path)).size > 1,
    );
    expect(new Set(twice.map(([name]) => name))).toEqual(shared);
  });

  it('has no default exports and no TODO', () => {
    const isUnfinished = ({ text }: Source): boolean =>
      /^export default/m.test(text) || /\b(?:TODO|FIXME|XXX|HACK)\b/.test(text);
    expect(offenders(production, isUnfinished)).toEqual([]);
  });
});

it('ARCHITECTURE.md names files that exist', () => {
  const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const named = [...text.matchAll(/`([a-z0-9-]+\/[a-z0-9./-]+)`/g)].map(
    (match) => match[1] as string,
  );
  expect(named.length).toBeGreaterThan(40);
  const folders = [join(PACKAGES, 'server/src'), join(PACKAGES, 'server'), PACKAGES, ROOT];
  const patterns = ['sql/', 'workers/', 'routes/', 'pages/', 'dashboard/'];
  const exists = (name: string) => folders.some((folder) => existsSync(join(folder, name)));
  expect(named.filter((name) => !patterns.includes(name) && !exists(name))).toEqual([]);
});

it('ARCHITECTURE.md draws every transition of a payment', () => {
  const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const drawn = [...text.matchAll(/^ {2}(\w+) --> (\w+): ([\w, ]+)$/gm)].flatMap(
    ([, from, to, triggers = '']) => triggers.split(', ').map((name) => `${from} ${name} ${to}`),
  );
  const defined = Object.entries(paymentDemandMachine.states).flatMap(([from, { on }]) =>
    Object.entries(on).map(([name, to]) => `${from} ${name} ${to}`),
  );
  expect(drawn.sort()).toEqual(defined.sort());
});

const currentTypes = Object.values<Resource>(resources).filter(isCurrentType);

it.each(currentTypes)('$type has tests of its own', ({ type }) => {
  const name = `${type.replaceAll('_', '-')}.test.ts`;
  expect(readdirSync(join(import.meta.dirname, 'resources'))).toContain(name);
});

/** A declaration that is exported. */
const EXPORT =
  /^export (?:async )?(?:abstract )?(?:const|let|class|interface|type|enum|function\*?) ([\w$]+)/gm;

/** Names that files of one package share because they mean the same. */
const sharedNames = ['server TextName', 'server Texts'];

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}
