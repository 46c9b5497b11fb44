import type { JsonMembers } from '../../stand-in/members.ts';
import { isJsonObject, textOf } from '../../stand-in/members.ts';
import { evidenceKinds } from './states.ts';

const TEXT_LENGTH_MAX = 500;
/** Evidence of Visa's compelling evidence 3.0, which is an object. */
const COMPELLING = 'compelling_evidence';
const fileNames: readonly string[] = evidenceKinds.map((kind) => `${kind}_file`);
const textNames: readonly string[] = [
  ...evidenceKinds.map((kind) => `${kind}_text`),
  'proof_of_delivery_or_service_date_text',
];

/** Known members of evidence, or the error codes of its faults. Files must exist. */
export function parseDisputeEvidence(
  body: JsonMembers,
  isFile: (id: string) => boolean,
): JsonMembers | readonly string[] {
  const isValid = (name: string, value: unknown): boolean => {
    if (name === COMPELLING) return isJsonObject(value);
    const text = textOf(value) ?? '';
    return fileNames.includes(name)
      ? isFile(text)
      : text.length > 0 && text.length <= TEXT_LENGTH_MAX;
  };
  const known = Object.entries(body).filter(
    ([name]) => fileNames.includes(name) || textNames.includes(name) || name === COMPELLING,
  );
  if (known.length === 0) return ['evidence_required'];
  const faults = known.filter(([name, value]) => !isValid(name, value));
  return faults.length > 0 ? faults.map(([name]) => `${name}_invalid`) : Object.fromEntries(known);
}
