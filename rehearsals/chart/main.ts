import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inheritedEnv } from '@florin/dev-env/config/env.ts';
import { renderTable } from '../../bench/table.ts';
import { readOptions } from '../../scripts/options.ts';
import { makeDirectory, removeDirectory } from '../support/environment.ts';
import { requirePackages } from '../support/packages.ts';
import {
  CASES,
  type Case,
  CHART,
  headOf,
  parseManifests,
  renderedPath,
  valuesPath,
} from './files.ts';
import { SCHEMAS, validate } from './validate.ts';

const GO_SOURCES = '/usr/share/gocode';

/** Runs the rehearsal with the options of the command line. Resolves with the exit code. */
export async function main(): Promise<number> {
  const { record } = readOptions({
    command: 'npm run rehearse -- chart',
    summary:
      "Renders the Helm chart with Helm's engine, and validates it with the schemas of Kubernetes.",
    options: {
      record: { default: 'no', description: 'yes writes what it renders into the repository' },
    },
  });
  requirePackages({
    'golang-go': '/usr/bin/go',
    'golang-github-masterminds-sprig-dev': join(GO_SOURCES, 'src/github.com/Masterminds/sprig'),
    'golang-k8s-sigs-yaml-dev': join(GO_SOURCES, 'src/sigs.k8s.io/yaml'),
  });
  const directory = await makeDirectory();
  try {
    return await rehearse(directory, record === 'yes');
  } finally {
    removeDirectory(directory);
  }
}

async function rehearse(directory: string, isRecording: boolean): Promise<number> {
  console.log(`Installing ${SCHEMAS} into ${directory} by npm.`);
  writeFileSync(join(directory, 'package.json'), '{}');
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  run(directory, 'npm', 'install', ...options, SCHEMAS);
  const program = buildRenderer(directory);
  const rows: string[][] = [];
  const problems: string[] = [];
  for (const name of CASES) {
    const text =
      headOf(name) + run(directory, program, CHART, valuesPath(name), 'florin', 'payments');
    problems.push(...compare(name, text, isRecording));
    const manifests = parseManifests(text);
    const validation = await validate(manifests, directory);
    problems.push(...validation.problems);
    rows.push([name, manifests.length, validation.fields, validation.problems.length].map(String));
  }
  console.log(renderTable(['values', 'manifests', 'fields', 'problems'], rows));
  for (const problem of problems) console.log(problem);
  return problems.length === 0 ? 0 : 1;
}

/** Packages of Debian are sources without modules. */
function buildRenderer(directory: string): string {
  const program = join(directory, 'render');
  const env = {
    GO111MODULE: 'off',
    GOPATH: GO_SOURCES,
    GOCACHE: join(directory, 'go-cache'),
  };
  execFileSync('/usr/bin/go', ['build', '-o', program, join(import.meta.dirname, 'render.go')], {
    env: { ...inheritedEnv(), ...env },
    stdio: 'inherit',
  });
  return program;
}

const run = (directory: string, program: string, ...words: string[]): string =>
  execFileSync(program, words, { cwd: directory, env: inheritedEnv(), encoding: 'utf8' });

/** Writes the recorded rendering, or compares with it. */
function compare(name: Case, text: string, isRecording: boolean): string[] {
  const path = renderedPath(name);
  if (isRecording) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return readFileSync(path, 'utf8') === text
    ? []
    : [
        `The chart renders otherwise than ${path}. Read the difference, then run with --record yes.`,
      ];
}
