import { expect, it } from 'vitest';
import { type ProcessorLookup, requireProcessor } from './processor.ts';

const nobody = {
  accounts: { enabledFor: () => [] },
  processorOf: () => undefined,
} as unknown as ProcessorLookup;

it.each([
  ['live', /Live mode takes no payments.*use a sandbox key/],
  ['sandbox', /The sandbox takes no payments.*ask the operator for a test account/],
] as const)('a refusal in %s names the next step of that mode', (mode, detail) => {
  expect(() => requireProcessor(nobody, { mode, merchant_id: 'm' })).toThrow(detail);
});
