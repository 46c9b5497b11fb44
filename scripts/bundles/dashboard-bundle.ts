import { existsSync, globSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import type { BuiltFile } from './built.ts';
import { missingSheets } from './component-styles.ts';
import { writeWhole } from './whole-file.ts';

const OUTPUT = 'dashboard/dist';
const SHEETS = 'node_modules/@mantine/core/styles';
/** Placeholder that the server replaces with a new nonce in each response. */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';
/** Time for which files of earlier builds are kept, for pages that are still open. */
const RETENTION_MS = 60 * 60 * 1_000;

type Output = readonly (Rolldown.OutputChunk | Rolldown.OutputAsset)[];

/** Small parts of the first views. In files of their own they would be twenty requests. */
const FIRST_PARTS = [
  '@mantine/core/esm/components/Card',
  '@mantine/core/esm/components/Center',
  '@mantine/core/esm/components/List',
  '@mantine/core/esm/components/Paper',
  '@mantine/core/esm/components/SimpleGrid',
  '@mantine/core/esm/core/MantineProvider/use-mantine-color-scheme',
  '@mantine/core/esm/core/utils/create-safe-context',
  '@mantine/core/esm/core/utils/get-base-value',
  '@mantine/core/esm/core/utils/get-breakpoint-value',
  '@mantine/core/esm/core/utils/get-sorted-breakpoints',
  '@mantine/hooks/esm/use-color-scheme',
  '@mantine/hooks/esm/use-disclosure',
  '@mantine/hooks/esm/use-uncontrolled',
  'contract/src/decline-codes',
  'contract/src/locales',
  'contract/src/member-notifications',
  'contract/src/money',
  'contract/src/payment-tabs',
  'contract/src/search',
  'dashboard/src/parts/chart/stat-card',
  'dashboard/src/parts/form/choice-bar',
  'dashboard/src/parts/page',
  'dashboard/src/parts/record/record.module',
  'dashboard/src/parts/record/section',
  'dashboard/src/parts/table/simple-table',
  'dashboard/src/parts/value/money',
  'dashboard/src/pages/home/compared-figures',
  'dashboard/src/pages/home/span-text',
  'dashboard/src/pages/registration/set-up-note',
];

/** Matches modules with one of the names: files of any type, and all files of a folder. */
const moduleTest = (names: readonly string[]): RegExp => new RegExp(`/(?:${names.join('|')})[./]`);

/** Chromium compiles all functions of a file with this line while it downloads, not one by one when they are called. */
const COMPILED_AHEAD = '//# allFunctionsCalledOnLoad';

/** Code of every page is in two files. The larger file holds libraries and changes only with them. */
const SPLITTING: Rolldown.CodeSplittingOptions = {
  includeDependenciesRecursively: false,
  groups: [
    {
      name: 'base',
      test: /node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|clsx|@tanstack\/(?!react-virtual|virtual-core)[\w-]+|@mantine\/(?:core|hooks))\//,
      tags: ['$initial'],
    },
    { name: 'common', test: /\/packages\/(?:dashboard|contract)\/src\//, tags: ['$initial'] },
    { name: 'parts', test: moduleTest(FIRST_PARTS) },
  ],
};

/** Pages that people may open first, by their names in the size report. */
const FIRST_VIEWS: Readonly<Record<string, string>> = {
  'sign-in': 'pages/sign-in/sign-in.tsx',
  overview: 'pages/home/home.tsx',
};

export const isDashboardBuilt = (root: string): boolean =>
  existsSync(join(root, 'packages', OUTPUT, 'index.html'));

/**
 * Builds the dashboard. Throws Vite's error. Reports the scripts of a first view as the file
 * `dashboard/first-view/<page>`.
 */
export async function buildDashboard(root: string): Promise<BuiltFile[]> {
  const output = await bundleDashboard(root);
  requireParts(output);
  requireSheets(root, output);
  const builtFiles = output.map((file) => write(root, file));
  pruneOld(root, new Set(builtFiles.map((file) => basename(file.output))));
  const views = Object.entries(FIRST_VIEWS).map(([name, page]) => firstViewOf(output, name, page));
  return [...builtFiles, ...views];
}

async function bundleDashboard(root: string): Promise<Output> {
  const result = await build({
    root: join(root, 'packages/dashboard'),
    configFile: false,
    base: '/dashboard/',
    cacheDir: join(root, 'node_modules/.vite/dashboard'),
    // Hides Vite's warning about each library file with a "use client" directive.
    logLevel: 'error',
    html: { cspNonce: NONCE_PLACEHOLDER },
    build: {
      write: false,
      target: 'es2022',
      cssCodeSplit: false,
      chunkSizeWarningLimit: 1_000,
      reportCompressedSize: false,
      rolldownOptions: {
        output: {
          codeSplitting: SPLITTING,
          postBanner: ({ name }) => (['base', 'common'].includes(name) ? COMPILED_AHEAD : ''),
        },
      },
    },
  });
  return (result as Rolldown.RolldownOutput).output;
}

/** Throws if a part was renamed: its files would be requests of their own. */
function requireParts(output: Output): void {
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  for (const name of FIRST_PARTS) {
    const test = moduleTest([name]);
    if (!modules.some((id) => test.test(id)))
      throw new Error(`The dashboard has no module ${name}, which FIRST_PARTS names.`);
  }
}

/** Throws if a component is used whose sheet is not imported: it would have no styles. */
function requireSheets(root: string, output: Output): void {
  const folder = join(root, SHEETS);
  const names = globSync('!(*.layer).css', { cwd: folder });
  if (names.length === 0) throw new Error(`There are no sheets in ${SHEETS}.`);
  const sheets = new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  const textOf = (ending: string) =>
    output.map((file) => (file.fileName.endsWith(ending) ? contentsOf(file) : '')).join('\n');
  const missing = missingSheets(textOf('.js'), textOf('.css'), sheets);
  if (missing.length > 0)
    throw new Error(
      `The dashboard uses components without their styles. Import in src/app/mantine.css: ${missing.join(', ')}.`,
    );
}

function write(root: string, file: Output[number]): BuiltFile {
  const contents = contentsOf(file);
  const output = `${OUTPUT}/${file.fileName}`;
  writeWhole(join(root, 'packages', output), contents);
  return { output, bytes: contents.length, gzipped: gzipSync(contents).length };
}

const contentsOf = (file: Output[number]): Buffer =>
  Buffer.from(file.type === 'chunk' ? file.code : file.source);

/** Deletes files of earlier builds, except those that an open page may still load. */
function pruneOld(root: string, keptNames: ReadonlySet<string>): void {
  const folder = join(root, 'packages', OUTPUT, 'assets');
  for (const name of globSync('*', { cwd: folder })) {
    const path = join(folder, name);
    if (!keptNames.has(name) && Date.now() - statSync(path).mtimeMs > RETENTION_MS) rmSync(path);
  }
}

/** Scripts of the entry and of a page, with all imports. Pages behind the sign-in also load the frame. */
function firstViewOf(output: Output, name: string, page: string): BuiltFile {
  const chunks = new Map(
    output.filter((file) => file.type === 'chunk').map((chunk) => [chunk.fileName, chunk]),
  );
  const neededFiles = new Set<string>();
  const addWithImports = (fileName: string): void => {
    if (neededFiles.has(fileName)) return;
    neededFiles.add(fileName);
    for (const imported of chunks.get(fileName)?.imports ?? []) addWithImports(imported);
  };
  const sources = [page, ...(name === 'sign-in' ? [] : ['app/frame/frame.tsx'])];
  for (const source of sources) addWithImports(chunkOf(chunks, source));
  for (const { fileName, isEntry } of chunks.values()) if (isEntry) addWithImports(fileName);
  const codes = [...neededFiles].map((fileName) => Buffer.from(chunks.get(fileName)?.code ?? ''));
  return {
    output: `dashboard/first-view/${name}`,
    bytes: codes.reduce((sum, code) => sum + code.length, 0),
    gzipped: codes.reduce((sum, code) => sum + gzipSync(code).length, 0),
  };
}

function chunkOf(chunks: ReadonlyMap<string, Rolldown.OutputChunk>, source: string): string {
  const chunk = [...chunks.values()].find((candidate) =>
    candidate.facadeModuleId?.endsWith(`/src/${source}`),
  );
  if (!chunk) throw new Error(`The dashboard has no page ${source}.`);
  return chunk.fileName;
}
