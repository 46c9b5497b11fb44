// Generates docs/openapi.json and docs/errors.md from the definitions.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resources } from '@florin/contract/resources/index.ts';
import { compileModels } from '@florin/server/jsonapi/model.ts';
import { generatedFiles } from '@florin/server/jsonapi/openapi/files.ts';
import { ROOT } from './program.ts';

for (const [path, text] of Object.entries(generatedFiles(compileModels(resources)))) {
  writeFileSync(join(ROOT, path), text);
  console.log(`${path}: ${text.length} characters`);
}
