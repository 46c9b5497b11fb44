import { join } from 'node:path';
import { compile } from './sdk-types.ts';

const OUTPUT = 'webhooks/dist/types';
/** What a program that receives webhooks is checked against. */
export const WEBHOOK_TYPES_ENTRY = `${OUTPUT}/main.d.ts`;

/** Writes the declarations of `@florin/webhooks`, which lead to nothing else. Throws what the compiler says where it fails. */
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
  const places = ['--rootDir', source, '--outDir', join(packages, OUTPUT)];
  compile(root, join(source, 'main.ts'), ...options, '--allowImportingTsExtensions', ...places);
}
