import { join } from 'node:path';
import { compile } from './sdk-types.ts';

const OUTPUT = 'webhooks/dist/types';
/** Entry of the package's types for webhook receivers. */
export const WEBHOOK_TYPES_ENTRY = `${OUTPUT}/main.d.ts`;

/** Writes self-contained declarations of `@florin/webhooks`. On failure throws the compiler's output. */
export function buildWebhookTypes(root: string): void {
  const packages = join(root, 'packages');
  const source = join(packages, 'webhooks', 'src');
  const options = [
    '--ignoreConfig',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--strict',
    '--types',
    'node',
  ];
  const pathOptions = ['--rootDir', source, '--outDir', join(packages, OUTPUT)];
  compile(
    root,
    join(source, 'main.ts'),
    ...options,
    '--allowImportingTsExtensions',
    ...pathOptions,
  );
}
