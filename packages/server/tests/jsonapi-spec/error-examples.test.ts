import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorHelp } from '@florin/contract/error-help/catalogue.ts';
import type { ExampleError, ExampleRequest } from '@florin/contract/error-help/error-help.ts';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';

const api = useApi();

interface RequestedExample extends ExampleError {
  readonly request: ExampleRequest;
}

const isRequested = (example: ExampleError): example is RequestedExample =>
  example.request !== undefined;

const examples = Object.entries(errorHelp).map(([code, { example }]) => ({ code, example }));
const requestedExamples = examples.filter(({ example }) => isRequested(example));
const otherExamples = examples.filter(({ example }) => !isRequested(example));

describe('the documented example of the error', () => {
  it.each(requestedExamples)('$code is what Florin sends', async ({ code, example }) => {
    const { request, ...expectedError } = example as RequestedExample;
    const { method, path, body, headers } = request;
    const answer = await api.client.send(method, path, body, headers);
    expect(answer.body.errors).toEqual([expect.objectContaining({ code, ...expectedError })]);
  });

  it.each(otherExamples)('$code has a detail that a source file contains', ({ example }) => {
    expect(templates.some((template) => template.test(example.detail))).toBe(true);
  });
});

const PACKAGES = join(import.meta.dirname, '../../..');
/** Comments come first: their apostrophes are no strings. */
const TOKEN =
  /\/\*[\s\S]*?\*\/|\/\/.*|'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;
/** Letters outside of placeholders that a template needs, so that it does not match everything. */
const LETTERS_MIN = 12;

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Texts of the source, as patterns of whole details. */
const templates: readonly RegExp[] = [
  ...globSync('{contract,server}/src/**/*.ts', { cwd: PACKAGES }),
]
  .filter((file) => !/\.test\.ts$|error-help/.test(file))
  .flatMap((file) => [...readFileSync(join(PACKAGES, file), 'utf8').matchAll(TOKEN)])
  .map(([, ...texts]) => texts.find((text) => text !== undefined) ?? '')
  .map((text) => text.replaceAll("\\'", "'").split(/\$\{[^}]*\}/))
  .filter((parts) => parts.join('').replaceAll(/[^A-Za-z]/g, '').length >= LETTERS_MIN)
  .map((parts) => new RegExp(`^${parts.map(escapePattern).join('.+')}$`, 's'));
