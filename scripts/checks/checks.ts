import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Outcome, ROOT, runNode } from '../program.ts';
import { commentFindings, countsOf, findExcesses, readBudget } from './comments.ts';
import { DIRECTORIES, findingsIn, schemaFindings } from './migrations.ts';
import { portabilityFindings } from './portable-sql.ts';
import { proseProblems } from './prose/prose.ts';

export interface Check {
  readonly name: string;
  run(): Promise<Outcome>;
}

const modulePath = (...path: string[]): string => join(ROOT, 'node_modules', ...path);

interface TypesConfig {
  readonly extends: string;
  readonly compilerOptions?: object;
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
}

const readConfig = (path: string): TypesConfig =>
  JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as TypesConfig;

/** Type checks. Folders with the same options are one program, so that shared sources are compiled once. */
function typeChecks(): Check[] {
  const configs = globSync('{packages/*,e2e,scripts,bench,faults,rehearsals,docs}/tsconfig.json', {
    cwd: ROOT,
  });
  const optionsOf = (path: string) => JSON.stringify(readConfig(path).compilerOptions);
  return [...Map.groupBy(configs.sort(), optionsOf).values()].map(typeCheck);
}

const typeCheck = (configs: readonly string[]): Check => ({
  name: `types of ${configs.map(dirname).join(', ')}`,
  async run() {
    const [firstConfig = ''] = configs;
    const config = configs.length === 1 ? firstConfig : writeCombined(configs);
    return runNode([modulePath('typescript', 'bin', 'tsc'), '-p', config], false);
  },
});

/** Writes one configuration for several folders with the same options; returns its path. */
function writeCombined(configs: readonly string[]): string {
  const [firstConfig = ''] = configs;
  const pathsOf = (key: 'include' | 'exclude') =>
    configs.flatMap((config) =>
      (readConfig(config)[key] ?? []).map((path) => join(ROOT, dirname(config), path)),
    );
  const path = modulePath('.cache', `${basename(dirname(firstConfig))}-and-others.tsconfig.json`);
  const combined = {
    extends: join(ROOT, firstConfig),
    include: pathsOf('include'),
    exclude: pathsOf('exclude'),
  };
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(combined));
  return path;
}

const lint: Check = {
  name: 'lint and format',
  run: () =>
    runNode([modulePath('@biomejs', 'biome', 'bin', 'biome'), 'ci', '--max-diagnostics=50'], false),
};

/** Finds dead links, and pages that cannot be built. Browser tests open the built site. */
const docsCheck: Check = {
  name: 'documentation site',
  run: () => runNode([join(ROOT, 'docs', 'src', 'build.ts'), '--if-stale'], false),
};

/** Type checks of every folder, the linter, and the documentation. */
export const sourceChecks = (): Check[] => [...typeChecks(), lint, docsCheck];

export const unusedCheck: Check = {
  name: 'unused files, exports and dependencies',
  run: () => runNode([modulePath('knip', 'bin', 'knip.js')], false),
};

export const migrationCheck: Check = {
  name: 'migrations as they were recorded',
  async run() {
    const findings = [
      ...(await Promise.all(DIRECTORIES.map(findingsIn))).flat(),
      ...DIRECTORIES.flatMap(schemaFindings),
    ];
    return { code: findings.length > 0 ? 1 : 0, output: findings.join('\n') };
  },
};

export const portabilityCheck: Check = {
  name: 'statements that Citus runs',
  async run() {
    const findings = portabilityFindings();
    return { code: findings.length > 0 ? 1 : 0, output: findings.join('\n') };
  },
};

export const commentCheck: Check = {
  name: 'words of comments',
  async run() {
    const budget = readBudget();
    const excesses = findExcesses(countsOf(commentFindings(), budget), budget);
    return { code: excesses.length > 0 ? 1 : 0, output: excesses.join('\n') };
  },
};

export const proseCheck: Check = {
  name: 'words of documents and catalogues',
  async run() {
    const problems = await proseProblems();
    return { code: problems.length > 0 ? 1 : 0, output: problems.join('\n') };
  },
};

/** Runs checks in sequence. Prints a line for each, and the output of failures. */
export async function runChecks(
  checks: readonly Check[],
): Promise<{ passed: number; failed: number }> {
  let failed = 0;
  for (const check of checks) {
    const { code, output } = await check.run();
    console.log(`${code === 0 ? '✓' : '✗'} ${check.name}`);
    if (code === 0) continue;
    failed += 1;
    console.log(output.trimEnd());
  }
  return { passed: checks.length - failed, failed };
}
