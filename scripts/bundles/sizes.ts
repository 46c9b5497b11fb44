import type { BuiltFile } from './built.ts';

export interface Size {
  readonly name: string;
  /** Size in bytes, gzipped. */
  readonly bytes: number;
  readonly max: number;
}

const LOADER_MAX = 3_000;
const FRAME_MAX = 12_000;
const EMBEDDED_MAX = 14_000;
/** Additional budget of either form with wallets. */
const WALLETS_MAX = 1_600;
const DASHBOARD_MAX = 200_000;

/** Sizes of the SDK, the form and the dashboard, with their limits. */
export function sizesOf(builtFiles: readonly BuiltFile[]): Size[] {
  const gzipped = (pathPart: string): number =>
    Math.max(
      ...builtFiles.filter(({ output }) => output.includes(pathPart)).map((file) => file.gzipped),
    );
  const locale = gzipped('dist/locales/');
  return [
    { name: 'loader, classic', bytes: gzipped('florin.js'), max: LOADER_MAX },
    { name: 'loader, module', bytes: gzipped('florin.mjs'), max: LOADER_MAX },
    { name: 'form with its longest language', bytes: gzipped('form.js') + locale, max: FRAME_MAX },
    {
      name: 'embedded form with its longest language',
      bytes: gzipped('form-embedded.js') + locale,
      max: EMBEDDED_MAX,
    },
    {
      name: 'form with wallets and its longest language',
      bytes: gzipped('form-wallets.js') + locale,
      max: FRAME_MAX + WALLETS_MAX,
    },
    {
      name: 'embedded form with wallets and its longest language',
      bytes: gzipped('form-embedded-wallets.js') + locale,
      max: EMBEDDED_MAX + WALLETS_MAX,
    },
    { name: 'dashboard, first view', bytes: gzipped('first-view/sign-in'), max: DASHBOARD_MAX },
    { name: 'dashboard, overview', bytes: gzipped('first-view/overview'), max: DASHBOARD_MAX },
  ];
}

/** Throws an `Error` that names a part that is missing or exceeds its limit. */
export function checkSizes(sizes: readonly Size[]): void {
  const [tooLarge] = sizes.filter(({ bytes, max }) => !(bytes > 0 && bytes <= max));
  if (tooLarge)
    throw new Error(
      `Too large for browsers: ${tooLarge.name} is ${tooLarge.bytes} of ${tooLarge.max} bytes.`,
    );
}
